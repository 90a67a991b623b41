import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { axeFaultsAt } from '../support/axe-faults.ts';
import {
  type ConsoleLab,
  openConsoleLab,
  settled,
  signOut,
  stopPolls,
} from '../support/console-lab.ts';
import { patience } from '../support/patience.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

let tab: Awaited<ReturnType<ConsoleLab['signIn']>>;
const ids = { email: '', webhook: '', delivery: '' };

const subject = '<script>alert(1)</script><img src=x onerror="alert(2)"> \u202egnp.exe';
const bounce = 'bounce+cc@simulator.amazonses.com';
const withIdSchema = z.object({ id: z.string() });
const deliveriesSchema = z.object({ data: z.tuple([withIdSchema], withIdSchema) });

async function fillPages(): Promise<void> {
  const made = await lab.call('POST', '/api/v1/webhooks', {
    // Nobody listens there.
    url: 'http://127.0.0.1:9/hook',
    description: subject,
  });
  ids.webhook = withIdSchema.parse(made).id;
  const template = { name: 'news', subject, content: 'Hello' };
  const { id: templateId } = withIdSchema.parse(
    await lab.call('POST', '/api/v1/templates', template),
  );
  const fields = { subject, content: undefined, templateId, cc: bounce };
  ids.email = (await lab.send('ann@example.com', fields)).sendId;
  await lab.send('complaint@simulator.amazonses.com');
  const story = async () => JSON.stringify(await lab.call('GET', `/api/v1/sends/${ids.email}`));
  const isTold = /"bounced".*"attempts":[1-9]/;
  await vi.waitFor(async () => expect(await story()).toMatch(isTold), patience);
  const log = await lab.call('GET', `/api/v1/webhooks/${ids.webhook}/deliveries?send=${ids.email}`);
  ids.delivery = deliveriesSchema.parse(log).data[0].id;
  tab = await lab.signIn();
  await stopPolls(tab.page);
}

const addresses: Readonly<Record<string, () => string>> = {
  emails: () => '/console/emails?status=sent',
  'all bounces': () => '/console/emails?outcome=bounced%2Csoft_bounced&period=30d',
  'a search': () => '/console/emails?search=example.com',
  'a range of two years': () =>
    '/console/emails?from=2025-12-31T09:30:00.000Z&until=2026-11-24T17:00:00.000Z',
  'no email': () => '/console/emails?to=nobody%40example.com',
  'one email': () => `/console/emails/${ids.email}`,
  'an address': () => `/console/addresses/${encodeURIComponent(bounce)}`,
  contacts: () => '/console/contacts',
  suppressions: () => '/console/suppressions',
  'lift many': () => '/console/suppressions/lift',
  'import and export': () => '/console/suppressions/move',
  webhooks: () => '/console/webhooks',
  'one webhook': () => `/console/webhooks/${ids.webhook}`,
  'the webhook’s log of one email': () => `/console/webhooks/${ids.webhook}?send=${ids.email}`,
  'one delivery': () =>
    `/console/webhooks/${ids.webhook}?send=${ids.email}&delivery=${ids.delivery}`,
  'what is not there': () => '/console/emails/snd_nothing',
};

const names = Object.keys(addresses);
const addressOf = (name: string): string => addresses[name]?.() ?? '';

/** Everything that is folded away counts too. */
const unfold = () =>
  tab.page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })');

/** By how much the page is higher than what it shows. */
const idleHeight =
  'document.documentElement.scrollHeight - Math.ceil(document.querySelector(".shell").getBoundingClientRect().height)';

/** The browser's own line about an answer of the service that the page shows. */
const refusal = /^Failed to load resource: the server responded with a status of 4\d\d /;

beforeAll(fillPages);

/** One email names its key, its template and its endpoints, whose lists are asked once, one after another. */
const isOfNames = (page: string, path: string): boolean =>
  page === 'one email' && /\/(?:api-keys|templates|webhooks)$/.test(path);

describe.each(names)('the page of %s', (name) => {
  beforeAll(async () => {
    await tab.page.emulateMedia({ reducedMotion: 'reduce' });
    await tab.page.setViewportSize({ width: 1280, height: 800 });
    await tab.open(addressOf(name));
    await tab.page.waitForLoadState('networkidle');
  });

  it('asks the API twice at most, names apart, and the browser has no complaint', () => {
    expect(tab.complaints.filter((line) => !refusal.test(line))).toEqual([]);
    expect(tab.asked.filter((path) => !isOfNames(name, path)).length).toBeLessThanOrEqual(2);
    expect(new Set(tab.asked).size).toBe(tab.asked.length);
  });

  it('fits into phones and walls: nothing scrolls that needn’t', async () => {
    await unfold();
    await settled(tab.page);

    for (const width of [320, 768, 1440, 3840]) {
      await tab.page.setViewportSize({ width, height: 800 });
      expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await tab.page.evaluate(idleHeight)).toBeLessThanOrEqual(0);
    }
  });

  it('has no fault that axe finds, in light and dark', async () => {
    await unfold();
    await settled(tab.page);

    expect(await axeFaultsAt(tab.page, [320, 1280])).toEqual([]);
  });

  // What the API lets through is short: who has found a way around that must not get further.
  it('shows hostile text of 10,000 characters as text', async () => {
    await tab.page.route('**/api/v1/**', async (route) => {
      const response = await route.fetch();
      const isJson = response.headers()['content-type']?.includes('json');
      const json: unknown = isJson ? worsened(await response.json()) : undefined;
      await route.fulfill({ response, ...(isJson && { json }) });
    });
    await tab.page.setViewportSize({ width: 320, height: 800 });
    await tab.open(addressOf(name));
    await unfold();
    await settled(tab.page);
    await tab.page.unrouteAll({ behavior: 'wait' });

    expect(tab.complaints.filter((line) => !refusal.test(line))).toEqual([]);
    expect(await tab.page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(
      await tab.page.locator('main :is(script, img, iframe, svg:not(.glyph), style)').count(),
    ).toBe(0);
    // Each text of a stranger keeps its direction to itself.
    const loose = await tab.page.evaluate(looseTexts);
    expect(loose).toEqual([]);
  });
});

describe('every page', () => {
  it('one that fails leaves the others as they are', async () => {
    await tab.page.setViewportSize({ width: 1280, height: 800 });
    await tab.open('/console/contacts');
    await tab.page.route(/\/api\/v1\/sends(\?|$)/, (route) => route.fulfill({ json: {} }));

    await tab.page.getByRole('link', { name: 'Emails', exact: true }).click();
    await tab.page.getByText('The page failed').waitFor();
    await tab.page.getByRole('link', { name: 'Webhooks', exact: true }).click();

    await tab.page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(await tab.page.getByText('The page failed').count()).toBe(0);
    await tab.page.unrouteAll({ behavior: 'wait' });
  });

  it('signing in: has no fault that axe finds, in light and dark', async () => {
    const { page, open } = await lab.openTab();
    await open('/console');
    await signOut(page);
    await page.getByLabel('Email address').waitFor();
    await open('/console/emails');

    expect(await axeFaultsAt(page, [320])).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});

const hostile = `<script>alert(1)</script><img src=x onerror=alert(2)>\u202eevil\u2066 ${'x'.repeat(10_000)}`;
const written = new Set([
  'subject',
  'toEmail',
  'fromEmail',
  'policyKey',
  'idempotencyKey',
  'diagnostic',
  'answer',
  'payload',
  'description',
  'outcome',
  'url',
  'email',
  'detail',
  'categoryKey',
]);

/** The same answer, with hostile text wherever a stranger's may stand. */
function worsened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(worsened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      written.has(key) && typeof one === 'string' ? hostile : worsened(one),
    ]),
  );
}

/** Texts that turn their direction around outside an element that keeps it. */
const looseTexts = `(() => {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const loose = [];
  while (walker.nextNode()) {
    const { parentElement, data } = walker.currentNode;
    if (data.includes('\\u202e') && !parentElement.closest('bdi')) loose.push(parentElement.outerHTML.slice(0, 100));
  }
  return loose;
})()`;
