/** Elements that begin and end a line of their own. */
const blocks = new Set(
  `address article aside blockquote body br center dd div dl dt fieldset figure footer form h1 h2 h3 h4
  h5 h6 header hr li main nav ol p pre section table tr ul`.split(/\s+/),
);

/** Elements that have an empty line around them. */
const paragraphs = new Set('blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '));

const contactScheme = /^(?:https?|mailto|tel):/i;

/** Collects the text of an HTML document, element by element. */
export class PlainText {
  readonly #pieces: string[] = [];
  #link: { readonly href: string; readonly firstPiece: number } | undefined;

  add(text: string): void {
    this.#pieces.push(text.replaceAll(/\s+/g, ' '));
  }

  /** To be called at the start of an element and at its end. */
  breakFor(element: string): void {
    if (paragraphs.has(element)) this.#pieces.push('\n\n');
    else if (blocks.has(element)) this.#pieces.push('\n');
  }

  openLink(href: string): void {
    this.#link = { href, firstPiece: this.#pieces.length };
  }

  /** Puts the address behind the link's text, unless that is the address. */
  closeLink(): void {
    if (this.#link === undefined) return;
    const { href, firstPiece } = this.#link;
    this.#link = undefined;
    const label = this.#pieces.slice(firstPiece).join('').trim();
    const isShown = label === href || `mailto:${label}` === href || `tel:${label}` === href;
    if (contactScheme.test(href) && !isShown) this.add(` (${href})`);
  }

  toString(): string {
    return this.#pieces
      .join('')
      .replaceAll(/ +/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim();
  }
}
