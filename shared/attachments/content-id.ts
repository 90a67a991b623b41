import { hash } from 'node:crypto';

/** SES API v2 reference, "Attachment", ContentId. */
const maxContentIdLength = 78;

/**
 * Characters that mean the same in the `Content-ID` header and, unescaped, in a `cid:` URL (RFC 2392 §2), so that the
 * HTML names the image as the request does.
 */
const contentId = /^[A-Za-z0-9._~+=@-]+$/;

export function contentIdFault(text: string): string | undefined {
  if (text === '') return 'must not be empty';
  if (text.length > maxContentIdLength) return `must have at most ${maxContentIdLength} characters`;
  if (/^cid:|^<|>$/i.test(text)) return 'must not contain cid: or angle brackets';
  if (contentId.test(text)) return undefined;
  return 'must only contain ASCII letters, digits and . _ ~ + = @ -';
}

/**
 * For files from other programs, some of which give every file an ID. One whose ID the HTML doesn't show, or an earlier
 * file has, is beside the text. An ID that we refuse is replaced, in the HTML too. The HTML is read at most twice,
 * however many files there are.
 *
 * @param ownIdOf the ID that a shown file gets
 */
export function fitContentIds(
  html: string,
  given: readonly (string | undefined)[],
  ownIdOf: (id: string, index: number) => string = fittingId,
) {
  const shown = given.some((id) => id !== undefined) ? contentIdsIn(html) : new Set();
  const fitting = new Map<string, string>();
  const contentIds = given.map((id = '', index) => {
    if (!shown.has(id) || fitting.has(id)) return undefined;
    const own = ownIdOf(id, index);
    fitting.set(id, own);
    return own;
  });
  const urlOf = (id: string) => {
    const own = fitting.get(id);
    return own === undefined || own === id ? undefined : `cid:${own}`;
  };
  const replaces = [...fitting].some(([id, own]) => id !== own);
  return { html: replaces ? replaceContentUrls(html, urlOf) : html, contentIds };
}

const fittingId = (id: string): string =>
  contentIdFault(id) === undefined ? id : `image-${hash('sha256', id).slice(0, 32)}`;

const contentUrl = /\bcid:([^\s"'<>(),;&]+)/gi;

/** @param urlOf `undefined` for one that stays. */
export function replaceContentUrls(html: string, urlOf: (contentId: string) => string | undefined) {
  return html.replace(contentUrl, (url, id: string) => urlOf(id) ?? urlOf(unescaped(id)) ?? url);
}

const contentIdsIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(contentUrl)].flatMap(([, id = '']) => [id, unescaped(id)]));

/** `decodeURIComponent` throws for bad escapes, and an error for each URL of a large text takes seconds. */
const unescaped = (id: string): string =>
  id.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
