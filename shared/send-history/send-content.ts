import type { Manager } from '#shared/access/admit-caller';
import { replaceContentUrls } from '#shared/attachments/content-id';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { textOf } from '#shared/email/compose-email';
import { footerHtml, footerText } from '#shared/email/email-footer';
import type { Service } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import {
  contentPlaceOf,
  contentUntil,
  filesPlaceOf,
  type KeptContent,
  keptContentSchema,
  keptFilesSchema,
} from '#shared/sending/kept-content';
import type { Send } from '#shared/sending/send';
import type { ContentStore } from '#shared/stored-content/content-store';
import {
  feedbackIdOf,
  type OrganizationId,
  organizationIdOf,
  type SendId,
} from '#shared/tokens/resource-id';
import { getSend } from './timeline-store.ts';

export type ContentReading = Pick<Service, 'table' | 'now'> & {
  readonly contents: Pick<ContentStore, 'get'>;
};

export type SendContent = { readonly send: Send; readonly content: KeptContent };

/** @throws ServiceError `send_not_found`, also for another organization's; `content_not_kept`. */
export async function readSendContent(
  organizationId: OrganizationId,
  sendId: SendId,
  { table, now, contents }: ContentReading,
): Promise<SendContent> {
  const at = now();
  const isOwn = organizationIdOf(sendId) === organizationId;
  const send = isOwn ? await getSend(table, feedbackIdOf(sendId), at) : undefined;
  if (send?.id !== sendId) throw new ServiceError('send_not_found');
  const content = await findContent(send, at, contents);
  if (content === undefined) throw new ServiceError('content_not_kept');
  return { send, content };
}

/** @returns `undefined` if it isn't kept, or no longer. */
export async function findContent(
  send: Send,
  now: number,
  contents: ContentReading['contents'],
): Promise<KeptContent | undefined> {
  const place = contentPlaceOf(send);
  if (place === undefined || now >= (contentUntil(send) ?? 0)) return undefined;
  // Nothing is stored if the write beside the commit failed.
  const stored = await contents.get(place, send.contentKey);
  return stored === undefined ? undefined : keptContentSchema.parse(stored);
}

export const contentRead = ({ organizationId, actor }: Manager, sendId: SendId, now: number) =>
  newAuditEntry(organizationId, actor, { action: 'email.content_read', target: sendId }, now);

export async function readSendFiles(
  kept: SendContent,
  reading: FileReading,
): Promise<readonly string[]> {
  const files = await findSendFiles(kept, reading);
  if (files === undefined) throw new ServiceError('attachments_not_kept');
  return files;
}

type FileReading = Pick<ContentReading, 'contents'>;

async function findSendFiles(
  { send, content }: SendContent,
  { contents }: FileReading,
): Promise<readonly string[] | undefined> {
  if (content.attachments.length === 0) return [];
  const place = contentPlaceOf(send);
  const stored =
    content.hasFiles && place && (await contents.get(filesPlaceOf(place), send.contentKey));
  return stored === undefined ? undefined : keptFilesSchema.parse(stored);
}

/** A Lambda answer is at most 6 MB, and the HTML has up to 2 MB. */
const maxImageLength = 3_000_000;
/** Without parameters, such as a name. */
const imageType = /^(image\/[\w.+-]+) ?(?:;|$)/i;

/**
 * Puts the email's own images into the HTML, since a page has no attachments. Images that are too large are left out.
 */
export async function withOwnImages(
  html: string,
  kept: SendContent,
  reading: FileReading,
): Promise<string> {
  if (!/\bcid:/i.test(html)) return html;
  const files = (await findSendFiles(kept, reading)) ?? [];
  const images = new Map(
    kept.content.attachments.flatMap(({ contentId, contentType = 'image/png' }, index) => {
      const file = files[index];
      const [, type] = imageType.exec(contentType) ?? [];
      return contentId !== undefined && type !== undefined && file !== undefined
        ? [[contentId, `data:${type.toLowerCase()};base64,${file}`] as const]
        : [];
    }),
  );
  let left = maxImageLength;
  return replaceContentUrls(html, (contentId) => {
    const image = images.get(contentId);
    if (image === undefined || image.length > left) return undefined;
    left -= image.length;
    return image;
  });
}

/** These links lead nowhere: the email's own act for its recipient. */
const deadLinks = {
  html: { unsubscribe: '#', preferences: '#' },
  text: {
    unsubscribe: 'https://…/api/unsubscribe?token=…',
    preferences: 'https://…/preferences?token=…',
  },
};

type ShownBodies = { readonly text: string; readonly html: string | undefined };

/** The bodies as sent, except for dead links in the footer, untracked links in the HTML, and no pixel. */
export async function shownBodiesOf({
  subject,
  content,
  htmlContent,
  footerOf,
}: KeptContent): Promise<ShownBodies> {
  const text = await textOf({ subject, content, htmlContent });
  if (footerOf === undefined) return { text, html: htmlContent };
  return {
    text: text + footerText(footerOf, deadLinks.text),
    html: htmlContent && (await withFooter(htmlContent, footerHtml(footerOf, deadLinks.html))),
  };
}

async function withFooter(html: string, footer: string): Promise<string> {
  const { rewriteHtml } = await import('#shared/tracking/rewrite-html');
  return rewriteHtml(html, { trackedUrl: () => undefined, beforeBodyEnd: footer });
}
