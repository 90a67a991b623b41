import { decodedValueOf, encodeAttributeValue } from './attribute-value.ts';
import type { Attribute, StartTag } from './html-tag.ts';
import { OpenElements } from './open-elements.ts';
import { TagReader } from './tag-reader.ts';

// An email's link is tracked unless one of these is true:
//
// | the link                                                    | decided in              |
// |-------------------------------------------------------------|-------------------------|
// | is marked `data-track="false"`, or no browser would show it | `findLinks`             |
// | leads to no http(s) URL, or within the mail                 | `destinationOf`         |
// | is for leaving, or its URL is too long                      | `email/email-links.ts`  |

export type RewriteOptions = {
  /** Gets an absolute http(s) URL; returns `undefined` to leave the link alone. */
  readonly trackedUrl: (destination: string) => string | undefined;
  /** HTML to insert before the last `</body>`, or at the end: the pixel, a footer. */
  readonly beforeBodyEnd: string;
};

export type Splice = { readonly start: number; readonly end: number; readonly text: string };

/**
 * Replaces the `href` of `<a>` and `<area>` if a browser would follow it to an http(s) URL, which `trackedUrl` gets.
 * Every other byte stays the same: nothing is parsed into a tree and printed again. Linear time; no HTML makes it
 * throw.
 */
export function rewriteHtml(html: string, options: RewriteOptions): string {
  const { hrefs, baseHref, bodyEnd } = findLinks(html);
  const base = documentBaseOf(baseHref);
  const links = hrefs.flatMap((href) => spliceFor(html, href, base, options) ?? []);
  const firstBehind = links.findIndex(({ start }) => start >= bodyEnd);
  const atBodyEnd = { start: bodyEnd, end: bodyEnd, text: options.beforeBodyEnd };
  const splices = links.toSpliced(firstBehind === -1 ? links.length : firstBehind, 0, atBodyEnd);
  return applySplices(html, splices);
}

type DocumentLinks = {
  /** Links not marked `data-track="false"`, in order. */
  readonly hrefs: readonly Attribute[];
  readonly baseHref: string | undefined;
  readonly bodyEnd: number;
};

const elementsWithHref = new Set(['a', 'area', 'base']);

/**
 * The links that a browser would show: none in comments, raw text and templates. The body ends at the last `</body>`,
 * or else at the end of the document. If that end is within a tag, comment, raw text or template, the body ends where
 * that starts.
 */
function findLinks(html: string): DocumentLinks {
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
const attributeOf = ({ attributes }: StartTag, attributeName: string): Attribute | undefined =>
  attributes.find(({ name }) => name === attributeName);

function isUntracked(html: string, tag: StartTag): boolean {
  const mark = attributeOf(tag, 'data-track');
  return mark !== undefined && decodedValueOf(html, mark).toLowerCase() === 'false';
}

function spliceFor(
  html: string,
  href: Attribute,
  base: string | undefined,
  { trackedUrl }: RewriteOptions,
): Splice | undefined {
  const destination = destinationOf(decodedValueOf(html, href), base);
  const tracked = destination && trackedUrl(destination);
  return tracked === undefined
    ? undefined
    : {
        start: href.valueStart,
        end: href.valueEnd,
        text: encodeAttributeValue(tracked, href.quote),
      };
}

export function applySplices(html: string, splices: readonly Splice[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const { start, end, text } of splices) {
    pieces.push(html.slice(position, start), text);
    position = end;
  }
  pieces.push(html.slice(position));
  return pieces.join('');
}

/** From the first `<base href>` (HTML §4.2.3), if it's absolute: a mail itself has no address to resolve it against. */
const documentBaseOf = (href: string | undefined): string | undefined =>
  URL.parse(href ?? '')?.href;

/**
 * As a browser follows it (URL Standard §4.4). `undefined` if it follows none: another scheme, not a URL, relative
 * without a base, or a fragment, which stays within the mail.
 */
export function destinationOf(href: string, base: string | undefined): string | undefined {
  const url = URL.parse(href, base);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isWithinMail = base !== undefined && isFragment(href);
  return isWeb && !isWithinMail ? url.href : undefined;
}

const isFragment = (href: string): boolean =>
  !URL.canParse(href) && URL.canParse(href, 'about:blank');
