"""The texts of New Jersey's rules, row by row in our words, and what the machine does about each.

Each chapter is a file of rows, `CHAPTER.toml`. `rows.py` loads and checks them. `sentences.toml`
is the index of the texts themselves: it holds how many sentences each paragraph has, and a part of
the hash of each sentence, but no sentence. `split.py` and `index.py` make the index.
"""
