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
      /** Epoch seconds. */
      at: z.number(),
    }),
  ),
});
type Email = z.output<typeof storeSchema>['emails'][number];

export type InboxPages = (path: string) => Promise<HttpApiResponse | undefined>;

/**
 * The pages for who works with the twin: `/` lists the emails, newest first, and each leads to the
 * timeline of its send. Neither is there on AWS.
 *
 * @returns a page, or nothing for any other path.
 */
export function createInboxPages(settings: InboxPagesSettings): InboxPages {
  return async (path) => {
    if (path === '/') return showInbox(settings);
    const [, messageId] = /^\/_local\/timeline\/([^/]+)$/.exec(path) ?? [];
    return messageId === undefined
      ? undefined
      : showTimeline(decodeURIComponent(messageId), settings);
  };
}

async function showInbox({ inboxUrl }: InboxPagesSettings): Promise<HttpApiResponse> {
  const store: unknown = await (await fetch(`${inboxUrl}/store`)).json();
  const emails = storeSchema.parse(store).emails.toReversed();
  const rows = emails.map(rowOf);
  return page(
    html`<h1>Sent from this machine</h1>
<p><a href="${inboxUrl}">Read the emails</a>. The API in words: functions/README.md.</p>
${emails.length === 0 ? html`<p>Nothing was sent yet.</p>` : html`<table>${rows}</table>`}`,
  );
}

const rowOf = ({ messageId, destination, subject, at }: Email): Html =>
  html`<tr><td>${new Date(at * 1_000).toISOString()}</td><td>${destination.to.join(', ')}</td><td>${subject}</td>
<td><a href="/_local/timeline/${encodeURIComponent(messageId)}">Timeline</a></td></tr>`;

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
