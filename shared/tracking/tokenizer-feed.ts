import type { Tokenizer } from 'htmlparser2';

const cdata = '<![CDATA[';
/** Same length, and read as a comment up to the next `>`. */
const comment = '<!_CDATA[';

/**
 * Can jump to another place of the document on the way.
 *
 * `<![CDATA[` has a meaning in SVG and MathML only, but htmlparser2 takes it for a CDATA section anywhere (HTML
 * §13.2.5.42). Elsewhere, another text of the same length is fed instead: within a tag, a comment or raw text both read
 * the same.
 */
export class TokenizerFeed {
  readonly #html: string;
  readonly #tokenizer: Tokenizer;
  readonly #isForeign: () => boolean;
  /** Between the tokenizer's offsets and the document's. */
  #shift = 0;
  #nextCdata = -1;
  #resumption: { readonly at: number; readonly prefix: string } | undefined;

  constructor(html: string, tokenizer: Tokenizer, isForeign: () => boolean) {
    this.#html = html;
    this.#tokenizer = tokenizer;
    this.#isForeign = isForeign;
  }

  /** The document's offset for one of the tokenizer's. */
  offsetOf(tokenizerOffset: number): number {
    return tokenizerOffset + this.#shift;
  }

  /** To the end. Unfinished markup there triggers no callback. */
  run(): void {
    this.#resumption = { at: 0, prefix: '' };
    while (this.#resumption !== undefined) {
      const { at, prefix } = this.#resumption;
      this.#resumption = undefined;
      this.#readFrom(at, prefix);
    }
  }

  /** Continues at this offset as if only `prefix` came before it. For use in callbacks. */
  resumeAt(at: number, prefix = ''): void {
    this.#tokenizer.pause();
    this.#resumption = { at, prefix };
  }

  #readFrom(at: number, prefix: string): void {
    this.#shift = at - prefix.length;
    this.#tokenizer.reset();
    this.#tokenizer.write(prefix);
    let position = at;
    for (;;) {
      const end = this.#findCdata(position);
      this.#tokenizer.write(this.#html.slice(position, end));
      if (!this.#tokenizer.running || end === this.#html.length) return;
      this.#tokenizer.write(this.#isForeign() ? cdata : comment);
      position = end + cdata.length;
    }
  }

  /** Cached: jumping often doesn't search the document each time. */
  #findCdata(from: number): number {
    if (this.#nextCdata < from) {
      const found = this.#html.indexOf(cdata, from);
      this.#nextCdata = found === -1 ? this.#html.length : found;
    }
    return this.#nextCdata;
  }
}
