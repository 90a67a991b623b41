import { decodedValueOf } from './attribute-value.ts';
import type { Attribute, StartTag } from './html-tag.ts';
import { OpenElements } from './open-elements.ts';
import { TagReader } from './tag-reader.ts';

// Which links aren't tracked, and where each case is decided: see `rewrite-html.ts`.

type DocumentLinks = {
  /** Links not marked `data-track="false"`, in order. */
  readonly hrefs: readonly Attribute[];
  readonly baseHref: string | undefined;
  /** Content can be added here: see `findLinks`. */
  readonly bodyEnd: number;
};

const elementsWithHref = new Set(['a', 'area', 'base']);

/**
 * The links that a browser would show: none in comments, raw text and templates. The body ends at the last `</body>`,
 * else at the end of the document, or, if that is within a tag, comment, raw text or template, at its start.
 */
export function findLinks(html: string): DocumentLinks {
  const openElements = new OpenElements();
  const hrefs: Attribute[] = [];
  let baseHref: string | undefined;
  let bodyEndTag: number | undefined;

  const reader = new TagReader(html, {
    isForeign: () => openElements.isForeign(),
    hasAttributes: (name) => elementsWithHref.has(name),
    onStartTag: (tag) => {
      const href = attributeOf(tag, 'href');
      const isBase = tag.name === 'base' && !openElements.isForeign();
      openElements.open(tag);
      if (href === undefined || openElements.templateStart() !== undefined) return;
      if (isBase) baseHref ??= decodedValueOf(html, href);
      else if (tag.name !== 'base' && !isUntracked(html, tag)) hrefs.push(href);
    },
    onEndTag: (name, start) => {
      const isBodyEnd = name === 'body' && openElements.templateStart() === undefined;
      if (isBodyEnd) bodyEndTag = start;
      openElements.close(name);
    },
  });
  const finishedUntil = reader.read();

  const bodyEnd = bodyEndTag ?? openElements.templateStart() ?? finishedUntil;
  return { hrefs, baseHref, bodyEnd };
}

/** The first of several attributes with one name counts: HTML §13.2.5.33. */
const attributeOf = ({ attributes }: StartTag, wanted: string): Attribute | undefined =>
  attributes.find(({ name }) => name === wanted);

function isUntracked(html: string, tag: StartTag): boolean {
  const mark = attributeOf(tag, 'data-track');
  return mark !== undefined && decodedValueOf(html, mark).toLowerCase() === 'false';
}
