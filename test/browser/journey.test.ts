import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type ConsoleLab, openConsoleLab } from '../support/console-lab.ts';
import { readInbox } from '../support/mailbox-inbox.ts';

const timelineSchema = z.object({
  events: z.array(z.looseObject({ type: z.string(), providerMessageId: z.string().optional() })),
});

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

const send = (to: string, policyKey: string) =>
  lab.send(to, {
    htmlContent: `<html><body><p><a href="${lab.stack.description.baseUrl}/nothing-here?a=1&amp;b=2">Read it</a></p></body></html>`,
    policyKey,
  });

const eventsOf = async (sendId: string) =>
  timelineSchema.parse(await lab.call('GET', `/api/v1/sends/${sendId}`)).events;

/** Opens the newest email to the address in the inbox, as a person would, and shows its HTML part. */
async function openEmail(to: string): Promise<Page> {
  const emails = await readInbox(lab.stack.description.inboxUrl);
  const email = emails.findLast(({ destination }) => destination.to.includes(to));
  const page = await lab.browser.newPage();
  await page.goto(lab.stack.description.inboxUrl);
  const pixel = page.waitForResponse(/\/t\/o\//);
  await page.setContent(email?.body.html ?? '');
  await pixel;
  return page;
}

describe('the way of a newsletter', () => {
  it('goes from the inbox over its links to a person who has had enough', async () => {
    const to = 'reader@example.com';
    const { sendId } = await send(to, 'newsletter');

    const email = await openEmail(to);
    await email.getByRole('link', { name: 'Read it' }).click();
    await email.waitForURL(`${lab.stack.description.baseUrl}/nothing-here?a=1&b=2`);
    const types = async () => (await eventsOf(sendId)).map(({ type }) => type);
    await expect
      .poll(types)
      .toEqual(expect.arrayContaining(['sent', 'delivered', 'opened', 'clicked']));
    const events = await eventsOf(sendId);
    const engagement = events.filter(({ type }) => type === 'opened' || type === 'clicked');
    expect(engagement.map(({ providerMessageId }) => providerMessageId)).toEqual([
      undefined,
      undefined,
    ]);

    const preferences = await openEmail(to);
    await preferences.getByRole('link', { name: 'Email preferences' }).click();
    await expect.poll(() => preferences.getByLabel('Newsletter').isChecked()).toBe(true);
    await preferences.getByLabel('Newsletter').uncheck();
    await preferences.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => preferences.getByRole('status').textContent()).toContain('saved');
    expect(await preferences.getByLabel('Newsletter').isChecked()).toBe(false);
    expect(await preferences.getByLabel('Product updates').isChecked()).toBe(true);
    expect((await send(to, 'newsletter')).status).toBe('suppressed');
    expect((await send(to, 'bulk')).status).toBe('sent');

    const farewell = await openEmail(to);
    await farewell.getByRole('link', { name: 'Unsubscribe' }).click();
    expect((await send(to, 'bulk')).status).toBe('sent');
    await farewell.getByRole('button', { name: 'Unsubscribe' }).click();
    await farewell.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect((await send(to, 'bulk')).status).toBe('suppressed');
    expect((await send(to, 'transactional')).status).toBe('sent');
  });
});

describe('List-Unsubscribe', () => {
  const unsubscribeUrl = async (to: string) => {
    const emails = await readInbox(lab.stack.description.inboxUrl);
    const email = emails.findLast(({ destination }) => destination.to.includes(to));
    const header = email?.headers.find(({ name }) => name === 'List-Unsubscribe');
    return header?.value.slice(1, -1) ?? '';
  };

  it.each([
    ['urlencoded', new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
    [
      'multipart',
      (() => {
        const form = new FormData();
        form.set('List-Unsubscribe', 'One-Click');
        return form;
      })(),
    ],
  ])(
    'unsubscribes by a mail client’s one click, %s, without redirect or cookie',
    async (kind, body) => {
      const to = `one-click-${kind}@example.com`;
      await send(to, 'bulk');

      const response = await fetch(await unsubscribeUrl(to), {
        method: 'POST',
        body,
        redirect: 'manual',
      });

      expect(response.status).toBe(200);
      expect(response.headers.get('set-cookie')).toBeNull();
      expect((await send(to, 'bulk')).status).toBe('suppressed');
    },
  );

  it('unsubscribes nobody when a scanner opens every link of an email', async () => {
    const to = 'scanned@example.com';
    await send(to, 'bulk');
    const emails = await readInbox(lab.stack.description.inboxUrl);
    const email = emails.findLast(({ destination }) => destination.to.includes(to));
    const links = [...(email?.body.html ?? '').matchAll(/(?:href|src)="([^"]+)"/g)];

    const urls = [await unsubscribeUrl(to), ...links.map(([, url = '']) => url)];
    for (const url of urls) {
      await fetch(url.replaceAll('&amp;', '&'), { method: 'HEAD' });
      await fetch(url.replaceAll('&amp;', '&'));
    }

    expect(urls.length).toBeGreaterThan(4);
    expect((await send(to, 'bulk')).status).toBe('sent');
  });
});
