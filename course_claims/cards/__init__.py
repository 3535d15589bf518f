"""All claim cards, lesson by lesson; a lesson shows its own with `claims.card(key)`."""

from __future__ import annotations

import difflib
import importlib

from ..claim_card import Card, Text

# The lessons that have cards; each has a file here, with its name without the number.
LESSONS = (
    "00_start_here",
    "01_nnlm",
    "02_word2vec",
    "03_glove",
    "04_polysemy",
    "05_taglm",
    "06_elmo_bilm",
    "07_elmo_mixing",
    "08_elmo_layers",
    "09_awd_lstm",
    "10_ulmfit",
    "11_why_pretraining",
    "12_seq2seq",
    "13_gpt",
    "14_bert",
    "15_lineage",
)
# The popular articles that the course grew from, all in Chinese: who is quoted as "S3".
ARTICLES: dict[str, Text] = {
    "S0": ("a lesson on ELMo and ULMFiT", "一篇讲 ELMo 和 ULMFiT 的课文"),
    "S1": (
        "Guan Yang, a series on pre-trained models",
        "管扬《预训练语言模型的前世今生》",
    ),
    "S2": ("a blog's chapter on ELMo, 2019", "一篇博客里的《ELMO》一章，2019 年"),
    "S3": (
        "Zhang Junlin, From word embedding to BERT, 2018",
        "张俊林《从 Word Embedding 到 Bert 模型》，2018 年",
    ),
    "S4": ("a short introduction to pre-training", "短文《预训练语言模型》"),
}
# What the course teaches, in the order of history; a card names what it is about.
SYSTEMS: dict[str, Text] = {
    "language model": ("language model, perplexity", "语言模型、困惑度"),
    "NNLM": ("neural language model (2003)", "神经网络语言模型（2003）"),
    "CBOW": ("CBOW", "CBOW"),
    "skip-gram": ("skip-gram with negative sampling", "skip-gram 与负采样"),
    "GloVe": ("GloVe", "GloVe"),
    "analogies": ("neighbours and analogies", "近邻与类比"),
    "vision": ("pre-training in vision", "图像预训练"),
    "frozen or tuned": ("frozen or fine-tuned", "冻结还是微调"),
    "pair model": ("pair (QA) model on word vectors", "词向量上的问答（句对）模型"),
    "polysemy": ("polysemy of static vectors", "静态向量与一词多义"),
    "sense vectors": ("one vector per sense", "一个义项一个向量"),
    "segmentation": ("Chinese segmentation", "中文分词"),
    "context2vec": ("context2vec", "context2vec"),
    "CoVe": ("CoVe", "CoVe"),
    "Dai & Le": ("semi-supervised sequence learning", "半监督序列学习"),
    "TagLM": ("TagLM", "TagLM"),
    "CRF": ("CRF layer", "CRF 层"),
    "biLM": ("bidirectional language model", "双向语言模型"),
    "tying": ("tied token layer and softmax", "共享的词层与 softmax"),
    "char-CNN": ("character CNN", "字符 CNN"),
    "layers": ("what the layers know", "各层知道什么"),
    "ScalarMix": ("ScalarMix: weights, γ, λ", "ScalarMix：权重、γ、λ"),
    "placement": ("where ELMo is plugged in", "ELMo 接在哪里"),
    "domain tuning": ("tuning the biLM on task text", "在任务文本上微调 biLM"),
    "ELMo": ("ELMo in tasks", "任务里的 ELMo"),
    "feature-based": ("feature-based pre-training", "基于特征的预训练"),
    "AWD-LSTM": ("AWD-LSTM", "AWD-LSTM"),
    "ULMFiT": ("ULMFiT's three stages", "ULMFiT 三个阶段"),
    "discriminative rates": ("discriminative rates", "判别式学习率"),
    "STLR": ("slanted triangular rates", "斜三角学习率"),
    "unfreezing": ("gradual unfreezing", "逐层解冻"),
    "pooling": ("concat pooling, both directions", "拼接池化、两个方向"),
    "forgetting": ("catastrophic forgetting", "灾难性遗忘"),
    "seq2seq": ("pre-trained encoder and decoder", "预训练的编码器和解码器"),
    "joint loss": ("joint language-model loss", "联合语言模型损失"),
    "attention": ("attention, residual connection", "注意力、残差连接"),
    "Transformer": ("Transformer", "Transformer"),
    "GPT": ("GPT", "GPT"),
    "input transformations": ("GPT's input transformations", "GPT 的输入改写"),
    "MLM": ("masked language model", "掩码语言模型"),
    "NSP": ("next sentence prediction", "下一句预测"),
    "BERT": ("BERT: input, heads, ablations", "BERT：输入、输出头、消融"),
    "lineage": ("from CBOW to BERT", "从 CBOW 到 BERT"),
    "why": ("why pre-training works", "预训练为什么有用"),
    "few labels": ("few labels", "少量标注"),
}


def all_cards() -> dict[str, Card]:
    """Return all cards by key, in the order of the lessons."""
    files = (importlib.import_module(f".{name[3:]}", __name__) for name in LESSONS)
    return {card.key: card for file in files for card in file.CARDS}


def card(key: str) -> Card:
    """Return a card by its key, such as "layers-pos-wsd".

    Errors: KeyError that names the keys that are most alike.
    """
    found = all_cards()
    if key not in found:
        near = difflib.get_close_matches(key, found, n=3) or sorted(found)
        raise KeyError(f"no card {key!r}; there are {', '.join(near)}")
    return found[key]
