"""The models, one file per idea, in the order of history.

A language model is called in one way, whatever it reads:

    outputs = model(tokens)
    outputs, losses = model(tokens, targets)

tokens   what one step of its batches holds first: word numbers (B, T), or a tuple
targets  the words to be predicted, IGNORE where none is; NNLM asks one a row, (B,)
losses   (K,), in nats per target: one number for each direction (biLM: forward and
         backward) or task (BERT: masked pieces, next sentence)

So `training.loop.train` lowers the losses of every one, and `evaluate` measures them.
Classifiers keep to it too, with classes for targets. `cloze.Cloze` always needs its
targets, which say where the gaps are. word2vec and GloVe have steps of their own; the
tagger (a CRF scores whole sentences) and the pair models are trained where they stand.
"""
