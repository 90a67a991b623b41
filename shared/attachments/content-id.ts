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
  return 'must have ASCII letters, digits and . _ ~ + = @ - only';
}

/**
 * Some programs give every attachment a content ID. A file that the HTML doesn't show is one beside the text. The HTML
 * is read once, however many attachments there are.
 */
export function shownIn(html: string): (contentId: string) => boolean {
  const shown = new Set(html.matchAll(/\bcid:([^\s"'<>(),;&]+)/gi).map(([, id]) => id));
  return (id) => shown.has(id) || shown.has(encodeURIComponent(id.toWellFormed()));
}
