"""How the models that ship are made: their recipes, their starts, their cards.

    python -m course_lib pretrain elmo-en --out runs/elmo-en --minutes 90

What a lesson teaches about pre-training stands in course_lib.training and in the files
of the models; here is what only those need who make a checkpoint anew.
"""
