import type { QuoteType } from 'htmlparser2';

/** Offsets into the document; the value's exclude its quotes. */
export type Attribute = {
  readonly name: string;
  readonly valueStart: number;
  readonly valueEnd: number;
  readonly quote: QuoteType;
};

/** `start` is the offset of its `<`. */
export type StartTag = {
  readonly name: string;
  readonly start: number;
  readonly isSelfClosing: boolean;
  readonly attributes: readonly Attribute[];
};

/** Gets a document's tags in order. Names are in lower case. */
export type TagHandler = {
  /** Whether the next content is SVG or MathML. */
  isForeign(): boolean;
  /** If `false`, the tag comes without attributes. */
  hasAttributes(name: string): boolean;
  onStartTag(tag: StartTag): void;
  onEndTag(name: string, start: number): void;
};

/** ASCII only: `toLowerCase` also turns the Kelvin sign into a k. */
export const lowerCase = (name: string): string =>
  name === name.toLowerCase()
    ? name
    : name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
