import * as z from 'zod';
import { type Html, html } from '#shared/pages/html';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { tableName } from '../environment.ts';
import { gatewayMessage, type HttpApiResponse } from './http-api-response.ts';

/** What the pages show, and with which key they read it. */
type InboxPagesSettings = {
  readonly baseUrl: string;
  readonly inboxUrl: string;
  readonly manageKey: string;
};

const storeSchema = z.object({
  emails: z.array(
    z.object({
      messageId: z.string(),
      destination: z.object({ to: z.array(z.string()) }),
      subject: z.string(),
      body: z.object({ html: z.string().optional() }),
      attachments: z.array(
        z.object({
          contentId: z.string().optional(),
          contentType: z.string(),
          /** In base64. */
          content: z.string(),
        }),
      ),
      /** Epoch seconds. */
      at: z.number(),
    }),
  ),
});
type Email = z.output<typeof storeSchema>['emails'][number];

export type InboxPages = (path: string) => Promise<HttpApiResponse | undefined>;

/**
 * The pages for who works with the twin: `/` lists the emails, newest first. Each leads to the timeline of its send, and
 * to its HTML as a mail program shows it, images inside included. None is there on AWS.
 *
 * @returns a page, or nothing for any other path.
 */
export function createInboxPages(settings: InboxPagesSettings): InboxPages {
  return async (path) => {
    if (path === '/') return showInbox(settings);
    const [, which, id] = /^\/_local\/(timeline|html)\/([^/]+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    const messageId = decodeURIComponent(id);
    return which === 'html' ? showHtml(messageId, settings) : showTimeline(messageId, settings);
  };
}

async function readEmails({ inboxUrl }: InboxPagesSettings): Promise<Email[]> {
  const store: unknown = await (await fetch(`${inboxUrl}/store`)).json();
  return storeSchema.parse(store).emails;
}

async function showInbox(settings: InboxPagesSettings): Promise<HttpApiResponse> {
  const { inboxUrl } = settings;
  const emails = (await readEmails(settings)).toReversed();
  const rows = emails.map(rowOf);
  return page(
    html`<h1>Sent from this machine</h1>
<p><a href="${inboxUrl}">Read the emails</a>. The API in words: functions/README.md.</p>
${emails.length === 0 ? html`<p>Nothing was sent yet.</p>` : html`<table>${rows}</table>`}`,
  );
}

const rowOf = ({ messageId, destination, subject, body, at }: Email): Html =>
  html`<tr><td>${new Date(at * 1_000).toISOString()}</td><td>${destination.to.join(', ')}</td><td>${subject}</td>
<td><a href="/_local/timeline/${encodeURIComponent(messageId)}">Timeline</a></td>
<td>${body.html === undefined ? undefined : html`<a href="/_local/html/${encodeURIComponent(messageId)}">HTML</a>`}</td></tr>`;

/** Without scripts, and apart from the service's own origin: the HTML is somebody else's. */
const asInMailProgram =
  "sandbox; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'";

async function showHtml(messageId: string, settings: InboxPagesSettings): Promise<HttpApiResponse> {
  const email = (await readEmails(settings)).find((one) => one.messageId === messageId);
  if (email?.body.html === undefined) return gatewayMessage(404, 'No email of this id has HTML');
  const { headers } = page(html``);
  return {
    status: 200,
    headers: { ...headers, 'content-security-policy': asInMailProgram },
    body: withImagesInside(email.body.html, email.attachments),
  };
}

/** A mail program finds an image by its content id; a browser needs the image itself. */
const withImagesInside = (text: string, attachments: Email['attachments']): string =>
  attachments.reduce(
    (shown, { contentId, contentType, content }) =>
      contentId === undefined
        ? shown
        : shown.replaceAll(
            new RegExp(`(["'(])cid:${RegExp.escape(contentId)}(?=["')])`, 'gi'),
            (_found, before: string) => `${before}data:${contentType};base64,${content}`,
          ),
    text,
  );

async function showTimeline(
  messageId: string,
  { baseUrl, manageKey }: InboxPagesSettings,
): Promise<HttpApiResponse> {
  const timelines = openTimelineStore(openTable(tableName));
  const found = await timelines.getSubscribedByMessage(messageId, Date.now());
  if (found === undefined) return gatewayMessage(404, 'No send has this message');
  const response = await fetch(`${baseUrl}/api/v1/sends/${found.send.id}`, {
    headers: { authorization: `Bearer ${manageKey}` },
  });
  const timeline = JSON.stringify(await response.json(), null, 2);
  return page(html`<p><a href="/">All emails</a></p><pre>${timeline}</pre>`);
}

const page = (content: Html): HttpApiResponse => ({
  status: 200,
  headers: { 'content-type': 'text/html;charset=UTF-8', 'cache-control': 'no-store' },
  body: html`<!doctype html><html lang="en"><title>Local email service</title><meta charset="utf-8">
<style>body{font:16px/1.5 system-ui;margin:2rem;color-scheme:light dark}td{padding:.25rem 1rem .25rem 0}</style>
<main>${content}</main></html>`.text,
});
