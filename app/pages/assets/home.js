/** Draws the opening of each game into its figure, from the public API; without a board, its observation stays. */

for (const figure of document.querySelectorAll("[data-board]")) draw(figure);

async function draw(figure) {
  const [{ board }, answer] = await Promise.all([
    import(new URL(figure.dataset.board, document.baseURI)),
    fetch(figure.dataset.init).then((response) => response.json()),
  ]);
  board(figure, null).show(answer, false);
}
