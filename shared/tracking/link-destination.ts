// Which links aren't tracked, and where each case is decided: see `rewrite-html.ts`. What the timeline shows
// of a clicked link: `engagement.ts`.

/**
 * The document's base URL from the `href` of its first `<base href>` (HTML §4.2.3), if it is absolute: a mail
 * itself has no address to resolve it against.
 */
export const documentBaseOf = (href: string | undefined): string | undefined =>
  URL.parse(href ?? '')?.href;

/**
 * The absolute http(s) URL that a browser follows for an `href` (URL Standard §4.4). `undefined` if it
 * follows none: another scheme, not a URL, relative without a base, or a fragment, which stays within the
 * mail.
 */
export function destinationOf(href: string, base: string | undefined): string | undefined {
  const url = URL.parse(href, base);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  const isWithinMail = base !== undefined && isFragment(href);
  return isWeb && !isWithinMail ? url.href : undefined;
}

/** Relative to `about:blank`, only fragments are valid (URL Standard §4.4). */
const isFragment = (href: string): boolean =>
  !URL.canParse(href) && URL.canParse(href, 'about:blank');
