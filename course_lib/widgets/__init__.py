"""Pictures that move: each an anywidget with one hand-written ES module.

All that a widget shows travels with it, so that it works in JupyterLab, in the book
and in a notebook that nobody has run. Only what a reader types needs a kernel.
"""

from __future__ import annotations

from .cooccurrence import Cooccurrence, cooccurrence
from .fine_tuning import FineTuning, fine_tuning
from .ngram_nnlm import NgramNNLM, ngram_nnlm
from .one_vector import OneVector, one_vector
from .scalar_mix import ScalarMixView, scalar_mix
from .sense_map import SenseMap, sense_map, sense_maps
from .sentence_probe import SentenceProbe, sentence_probe
from .seq2seq_builder import Seq2SeqBuilder, seq2seq_builder
from .vectors_training import Snapshots, VectorsTraining, vectors_training
from .who_sees_whom import WhoSeesWhom, who_sees_whom
from .window_sampler import WindowSampler, window_sampler

__all__ = [
    "Cooccurrence",
    "FineTuning",
    "NgramNNLM",
    "OneVector",
    "ScalarMixView",
    "SenseMap",
    "SentenceProbe",
    "Seq2SeqBuilder",
    "Snapshots",
    "VectorsTraining",
    "WhoSeesWhom",
    "WindowSampler",
    "cooccurrence",
    "fine_tuning",
    "ngram_nnlm",
    "one_vector",
    "scalar_mix",
    "sense_map",
    "sense_maps",
    "sentence_probe",
    "seq2seq_builder",
    "vectors_training",
    "who_sees_whom",
    "window_sampler",
]
