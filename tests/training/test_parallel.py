"""Several processes take the steps that one process would take."""

import os
import re
import subprocess
import sys

import pytest
import torch

from course_pretraining.__main__ import parser

pytestmark = pytest.mark.no_gpu  # its processes are not told of the GPU

SCRIPT = """
import sys
import torch
from course_lib import data
from course_lib.models.bilm import BiLM, BiLMConfig
from course_lib.text.batches import Batches, read_text
from course_lib.training.loop import train
from course_lib.training.parallel import place
from course_pretraining.processes import together

torch.set_num_threads(1)
torch.manual_seed(0)
sizes = {"cells": 6, "projection": 4, "filters": [[1, 3], [2, 4]], "char_size": 3}
text = read_text(data.load("rivertown-en", tokens=3000).documents())
vocabulary = text.vocabulary(200)
model = BiLM(BiLMConfig(**sizes, cutoffs=[20, 80], dropout=0.0), len(vocabulary))
with together():
    # One window is left over for the last batch, fewer than there are processes.
    text.starts = text.starts[:31]
    run = train(model.double(), Batches(text, vocabulary, rows=6), epochs=2)
    if place()[0] == 0:
        found = {"weights": model.state_dict(), "losses": run.losses}
        torch.save(found | {"tokens": run.tokens, "processes": place()[1]}, sys.argv[1])
"""


def trained(folder, processes: int) -> dict:
    """Train in so many processes, each started by torchrun; return what one has."""
    script, result = folder / "script.py", folder / f"{processes}.pt"
    script.write_text(SCRIPT)
    launch = ["torch.distributed.run", "--standalone", "--nproc-per-node"]
    command = [sys.executable, "-m", *launch, str(processes), str(script), str(result)]
    alone = [sys.executable, str(script), str(result)]
    done = subprocess.run(
        command if processes > 1 else alone,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return torch.load(result, weights_only=True)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("processes")
    return {processes: trained(folder, processes) for processes in (1, 2)}


def test_processes_together_do_what_one_does_alone(runs):
    one, many = runs[1], runs[2]
    assert many["processes"] == 2
    assert one["losses"][-1][1] < one["losses"][0][1], "nothing was learned"
    assert many["losses"] == one["losses"]  # steps, and losses to five digits
    for name, weight in one["weights"].items():
        torch.testing.assert_close(many["weights"][name], weight, rtol=0, atol=1e-9)


def test_torchrun_takes_none_of_the_options_of_pretrain_for_its_own():
    """It completes what is short for one of its options, also behind the module."""
    from torch.distributed.run import get_args_parser

    command = [sys.executable, "-m", "course_lib", "pretrain", "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    ours = set(re.findall(r"--[a-z-]+", said)) - {"--help"}
    assert {"--out", "--minutes", "--weights"} <= ours
    theirs = list(get_args_parser()._option_string_actions)
    assert not [(a, b) for a in ours for b in theirs if b.startswith(a)]


@pytest.mark.parametrize("option", ["--minutes", "--epochs", "--threads"])
def test_a_training_without_time_or_hands_is_refused(option, capsys):
    with pytest.raises(SystemExit):
        parser().parse_args(["elmo-en", "--out", "runs", option, "0"])
    assert f"{option}: 0 is not above 0" in capsys.readouterr().err
