import type { AuditStore } from '#shared/audit/audit-store';
import { type AnswerTo, type RequestTo, WithHeaders } from '#shared/endpoints/endpoint';
import { previewHeadersFor } from '#shared/http/page-response';
import { keptEmailPage } from '#shared/pages/preview-page';
import { contentUntil } from '#shared/sending/kept-content';
import {
  type ContentReading,
  contentRead,
  readSendContent,
  shownBodiesOf,
  withOwnImages,
} from '#shared/sends/send-content';
import { severalTo } from '#shared/sends/send-view';
import type { endpoint } from './endpoint.ts';

type Reading = ContentReading & { readonly audit: Pick<AuditStore, 'append'> };
type Content = Exclude<AnswerTo<typeof endpoint>, string>;

/** The audit entry is stored before the content is answered. */
export async function getSendContent(
  { caller, path, query }: RequestTo<typeof endpoint>,
  reading: Reading,
): Promise<Content | WithHeaders<string>> {
  const kept = await readSendContent(caller.organizationId, path.id, reading);
  const { send, content } = kept;
  const { text, html } = await shownBodiesOf(content);
  const now = reading.now();
  await reading.audit.append(contentRead(caller, path.id, now));

  const { attachments, subject } = content;
  if (query.as === 'page') {
    const { headers = {} } = send;
    const isHtml = html !== undefined && query.part !== 'text';
    const page = keptEmailPage({
      html: isHtml ? await withOwnImages(html, kept, reading) : undefined,
      text,
      headers,
      attachments,
    });
    const loadsRemote = query.images === 'remote';
    const shown = loadsRemote ? page : await withoutConnections(page);
    return new WithHeaders(shown, previewHeadersFor({ loadsRemote }));
  }
  return {
    ...send,
    to: severalTo(send),
    sendId: send.id,
    subject,
    content: text,
    htmlContent: html,
    attachments,
    attachmentsKept: content.hasFiles === true || attachments.length === 0,
    contentUntil: contentUntil(send) ?? now,
  };
}

async function withoutConnections(page: string): Promise<string> {
  const { withoutResourceLinks } = await import('#shared/tracking/resource-links');
  return withoutResourceLinks(page);
}
