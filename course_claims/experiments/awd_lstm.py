"""Lesson 09: what each regulariser of AWD-LSTM is worth, taken away one at a time.

A small model and a small text, so that there is something to regularise: 50,000 words
of the Brown corpus (without it, Rivertown), read 48 times by plain gradient descent.
The lowest perplexity on the way counts: a model that overfits may stop early.
All this was set after a look at three of the conditions with seed 1, so that the plain
LSTM learns, too.

awd_regularisers   the perplexity without each regulariser, and without all of them,
                   minus that with all, within a seed
minimal_pairs      "to predict words well, a language model must learn grammar, meaning
                   and common sense": the models that ship, on crossed pairs of
                   sentences (chance is half), English and Chinese; a seed draws from
                   one list of pairs
"""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections.abc import Sequence

import numpy as np
import torch

from course_lib import checkpoints, data
from course_lib.models.awd_lstm import AWDLSTM, AWDConfig, Remembering
from course_lib.text.batches import Text, read_text
from course_lib.text.characters import BOS, EOS
from course_lib.text.streams import BPTT, Streams, vocabulary_of
from course_lib.training import bf16_pays
from course_lib.training.loop import evaluate, train

from ..rules import row

SIZES = {"embedding": 64, "hidden": 128}
EPOCHS = 48
LOCKED = {"input": 0.0, "between": 0.0, "output": 0.0}
WITHOUT = {
    "weight-drop": {"weight": 0.0},
    "locked dropout": LOCKED,
    "embedding dropout": {"word": 0.0},
    "tying": {"tied": False},
    "AR/TAR": {"alpha": 0.0, "beta": 0.0},
    "varied windows": {},
}


@functools.cache
def texts(words: int) -> tuple[Text, Text]:
    """Return a text to learn from, and one of a fifth of its size to measure on."""
    try:
        corpus = data.load("brown")
    except data.DataNotAtHand:
        corpus = data.load("rivertown-en", tokens=2 * words)
    parts: tuple[list, list] = ([], [])
    read = [0, 0]
    for number, document in enumerate(corpus.documents()):
        part = int(number % 6 == 5)
        if read[part] < (words, words // 5)[part]:
            parts[part].append([[w.lower() for w in s] for s in document])
            read[part] += sum(map(len, document))
    training, held_out = (read_text(part, window=sys.maxsize) for part in parts)
    return training, held_out


def perplexities(
    config: AWDConfig, seed: int, quick: bool, varied: bool = True
) -> list[float]:
    """Train a language model; return its perplexities on held-out text on the way.

    Plain gradient descent at the paper's rate. Adam's steps are as long for a gradient
    of any size: without AR and TAR they drove this small network's outputs to 1 and -1
    at once, and it never learned more than how frequent each word is.
    """
    training, held_out = texts(5000 if quick else 50_000)
    vocabulary = vocabulary_of(training, 5000)
    torch.manual_seed(seed)
    model = Remembering(AWDLSTM(config, len(vocabulary)))
    streams = Streams(training, vocabulary, rows=20, seed=seed)
    if not varied:
        steps = int(streams.lengths.sum())
        streams.lengths = np.diff([*range(0, steps, BPTT), steps])
    fresh, found = Streams(held_out, vocabulary, rows=8), []

    def check(epoch: int) -> None:
        if epoch % 4 == 0:
            found.append(math.exp(evaluate(model, fresh).item()))

    epochs = 1 if quick else EPOCHS
    descent = torch.optim.SGD(model.parameters(), lr=30.0)
    train(model, streams, epochs, bf16=bf16_pays(), optimizer=descent, at_epoch=check)
    check(0)  # the last one
    return found


def awd_regularisers(seed: int, quick: bool = False) -> list[dict]:
    """Train with all regularisers, without each of them, and with none."""
    nothing = {key: v for part in WITHOUT.values() for key, v in part.items()}
    settings = {"all": {}}
    settings |= {f"without {name}": part for name, part in WITHOUT.items()}
    settings |= {"none": nothing}
    found = []
    for condition, part in settings.items():
        varied = condition not in ("without varied windows", "none")
        values = perplexities(AWDConfig(**SIZES | part), seed, quick, varied)
        about = "AWD-LSTM", condition
        found.append(row(*about, "perplexity", min(values)))
        found.append(row(*about, "at the end", values[-1]))
    return found


# -- what a language model has learned -------------------------------------------------

KINDS = ("grammar", "meaning", "common sense")
PLURALS = (
    ("book", "books"), ("car", "cars"), ("church", "churches"), ("door", "doors"),
    ("farm", "farms"), ("house", "houses"), ("key", "keys"), ("letter", "letters"),
    ("river", "rivers"), ("ship", "ships"), ("song", "songs"), ("street", "streets"),
    ("table", "tables"), ("tower", "towers"), ("tree", "trees"), ("window", "windows"),
)  # fmt: skip
CLASSIFIERS = {  # Chinese has no plural, but each noun has its own measure word
    "一条": "河 路 鱼", "一本": "书 小说 杂志", "一张": "纸 照片 桌子",
    "一辆": "汽车 自行车 卡车", "一座": "山 桥 城市", "一位": "老师 医生 教授",
}  # fmt: skip
FRAMES = {
    "en": """the doctor helped the sick {patient}|she drank a cup of {tea}|
they swam in the {river}|he rode a {horse}|the teacher taught the {students}|
he kept his money in the {bank}|she played a song on the {piano}|
the ship sailed over the {sea}|the judge sat in the {court}|
the farmer sold his {cattle}|they drove on the {road}|she wrote a long {letter}|
he fired the {gun}|the king lived in the {palace}""",
    "zh": """医生 救 了 这位 {病人}|她 喝 了 一杯 {茶}|他 写 了 一封 {信}|
他 会 弹 {钢琴}|她 唱 了 一首 {歌}|农民 养 了 很多 {猪}|
他 把 钱 存 进 了 {银行}|警察 抓住 了 {小偷}|
她 穿 上 了 {衣服}|山上 种 了 很多 {树}|他们 参加 了 足球 {比赛}|飞机 降落 在 {机场}|
学生 要 参加 {考试}|他 打开 了 {门}""",
}
ORDERED = {  # from less to more, and the two words that compare
    "en": {"smaller bigger": "mouse cat dog horse house mountain",
           "lighter heavier": "letter book chair car ship",
           "slower faster": "man horse car train plane",
           "younger older": "baby boy man grandfather"},
    "zh": {"小 大": "蚂蚁 鸡 狗 牛 房子 山", "轻 重": "信 书 椅子 汽车 轮船",
           "慢 快": "人 马 汽车 火车 飞机", "矮 高": "草 桌子 房子 山"},
}  # fmt: skip
Crossed = tuple[str, str, str, str]  # A with a, B with b, A with b, B with a


def crossed(language: str) -> dict[str, list[Crossed]]:
    """Write pairs of sentences, and the same ones with two words exchanged.

    A word that is frequent in itself helps the right pair as much as the wrong one.
    """
    pairs = itertools.combinations

    def around(x: str, y: str) -> tuple[str, str]:
        """Return what stands before and after the word that compares."""
        return (
            (f"a {x} is ", f" than a {y}") if language == "en" else (f"{x} 比 {y} ", "")
        )

    found = {"grammar": agreement() if language == "en" else measure_words()}
    frames = [f.strip().rstrip("}").split("{") for f in FRAMES[language].split("|")]
    found["meaning"] = [
        (A + a, B + b, A + b, B + a) for (A, a), (B, b) in pairs(frames, 2)
    ]
    found["common sense"] = [
        exchanged(around(less, more), around(more, less), *words.split())
        for words, things in ORDERED[language].items()
        for less, more in pairs(things.split(), 2)
    ]
    return found


def exchanged(A: Sequence[str], B: Sequence[str], a: str, b: str) -> Crossed:
    """Put words into two contexts (before, after); then exchange the words."""
    return A[0] + a + A[1], B[0] + b + B[1], A[0] + b + A[1], B[0] + a + B[1]


def agreement() -> list[Crossed]:
    """Ask whether a verb goes with its subject, a noun of the other number between."""
    return [
        exchanged((f"the {x} near the {ys} ", " old"),
                  (f"the {xs} near the {y} ", " old"), *verbs)
        for (x, xs), (y, ys) in itertools.permutations(PLURALS, 2)
        for verbs in (("is", "are"), ("was", "were"))
    ]  # fmt: skip


def measure_words() -> list[Crossed]:
    """Ask whether a measure word goes with its noun."""
    return [
        exchanged(("前面 有 ", f" {x}"), ("前面 有 ", f" {y}"), a, b)
        for (a, xs), (b, ys) in itertools.combinations(CLASSIFIERS.items(), 2)
        for x, y in itertools.product(xs.split(), ys.split())
    ]


@torch.no_grad()
def log_likelihoods(model: AWDLSTM, vocabulary, sentences: Sequence[str]) -> np.ndarray:
    """Return the logarithm of each sentence's probability, (N,)."""
    numbered = [vocabulary.encode([BOS, *s.split(), EOS]) for s in sentences]
    found = np.zeros(len(numbered))
    for length in set(map(len, numbered)):
        here = [i for i, of in enumerate(numbered) if len(of) == length]
        ids = torch.tensor([numbered[i] for i in here])  # (N, T)
        for part, where in zip(
            ids.split(64), torch.tensor(here).split(64), strict=True
        ):
            top = model(part[:, :-1]).top  # (N, T-1, E)
            log_p = model.logits(top).log_softmax(dim=-1)  # (N, T-1, V)
            said = log_p.gather(2, part[:, 1:, None]).sum(dim=(1, 2))  # (N,)
            found[where] = said.numpy()
    return found


def minimal_pairs(seed: int, quick: bool = False) -> list[dict]:
    """Ask the models that ship which of two pairs of sentences is the likelier.

    The seed draws which pairs.
    """
    found, rng = [], np.random.default_rng(seed)
    for language in ("en",) if quick else ("en", "zh"):
        model, vocabulary = checkpoints.load(f"awdlstm-{language}")
        model.eval()
        for kind, every in crossed(language).items():
            n = min(4 if quick else 60, len(every) * 2 // 3)
            chosen = [every[i] for i in rng.permutation(len(every))[:n]]
            flat = list(itertools.chain(*chosen))
            p = log_likelihoods(model, vocabulary, flat).reshape(-1, 4)
            right = p[:, :2].sum(axis=1) > p[:, 2:].sum(axis=1)
            found.append(row(f"awdlstm-{language}", kind, "right", right.mean()))
    return found


EXPERIMENTS = {"awd_regularisers": awd_regularisers, "minimal_pairs": minimal_pairs}
