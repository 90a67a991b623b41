import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PutSuppressedDestinationCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { axeFaults } from '../support/axe-faults.ts';
import { type ConsoleLab, openConsoleLab, settled } from '../support/console-lab.ts';
import { buildSesEvent, buildSesMail, tagsOf } from '../support/ses-event-builder.ts';

let lab: ConsoleLab;

beforeAll(async () => {
  lab = await openConsoleLab();
});
afterAll(() => lab?.close());

/** Loads the page until it says so. */
const lookUntil = async (page: Page, words: string | RegExp, times = 1) => {
  await expect
    .poll(async () => {
      await page.reload();
      await settled(page);
      return page.getByRole('main').getByText(words).count();
    })
    .toBeGreaterThanOrEqual(times);
};

/** The address bounces for good, and SES lists it, as it does where the deployment wants that. */
async function bounce(
  address: string,
  { messageId, sendId }: Record<string, unknown>,
): Promise<void> {
  const timestamp = new Date().toISOString();
  const event = buildSesEvent('Bounce', {
    mail: buildSesMail({ timestamp, messageId, destination: [address], tags: tagsOf(sendId) }),
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: address, diagnosticCode: 'smtp; 550 5.1.1 unknown' }],
      timestamp,
    },
  });
  await fetch(`${lab.stack.description.baseUrl}/_local/provider-events`, {
    method: 'POST',
    body: JSON.stringify(event),
  });
  const ses = new SESv2Client({ endpoint: lab.stack.description.endpoints.sesv2 });
  onTestFinished(() => ses.destroy());
  await ses.send(new PutSuppressedDestinationCommand({ EmailAddress: address, Reason: 'BOUNCE' }));
}

describe('support, asked whether Ann got her reset link', () => {
  it('finds the email, sees the bounce, lifts it, and sees the next email delivered', async () => {
    const ann = 'ann@example.com';
    const reset = { subject: 'Reset your password' };
    await bounce(ann, await lab.send(ann, reset));
    const { page, open, complaints } = await lab.openTab();
    await open('/console/emails');

    // The address is typed by keyboard alone.
    await page.keyboard.press('/');
    await page.keyboard.type(ann);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Reset your password' }).dblclick();
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await lookUntil(page, 'Hard bounce');
    await page
      .getByRole('heading', { name: 'Not delivered: example.com says this mailbox doesn’t exist' })
      .waitFor();
    expect(await lab.send(ann, reset)).toMatchObject({ status: 'suppressed' });

    await page.getByRole('link', { name: ann }).first().click();
    await page.getByText('Lift the suppression only if its owner says that it works.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: `Lift the suppression of ${ann}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift it' }).click();
    const lifted = page.getByRole('main').getByText('Lifted: Hard bounce.');
    await lifted.waitFor();
    expect(await lifted.textContent()).toContain(
      'It’s off the suppression list of Amazon SES, too.',
    );

    const { sendId } = await lab.send(ann, reset);
    await open(`/console/emails/${sendId}`);
    await lookUntil(page, 'Delivered to the recipient’s server');
    expect(complaints).toEqual([]);
  });
});

describe('an email to several, one of whom bounced and one complained', () => {
  it('lifts the suppression of the address that its banner names, in the middle of the window', async () => {
    const complainant = 'complaint+8@simulator.amazonses.com';
    const { sendId } = await lab.send('ann@example.com', {
      to: ['bounce+9@simulator.amazonses.com', 'ann@example.com'],
      cc: complainant,
    });
    const { page, open } = await lab.openTab();
    const banner = page.locator('.say').filter({ hasText: 'Delivered, then marked as spam' });
    await open(`/console/emails/${sendId}`);
    await lookUntil(page, 'Delivered, then marked as spam');
    await lookUntil(page, 'Hard bounce', 2);
    expect(await banner.textContent()).toContain('complaint+8@simulator.amazonses.com');

    await banner.getByRole('button').click();
    const dialog = page.getByRole('dialog');
    const asked = await dialog.textContent();
    const { y = 0, height = 0 } = (await dialog.boundingBox()) ?? {};
    const above = y - ((page.viewportSize()?.height ?? 0) - height) / 2;

    expect(asked).toContain(complainant);
    expect(asked).toContain('If they mark your email as spam again');
    expect(Math.abs(above)).toBeLessThan(2);
    await dialog.getByRole('button', { name: 'Lift it' }).click();
    await banner.getByText('Lifted: Complained.').waitFor();
    const bounced = page.locator('.rows li', { hasText: 'bounce+9@' });
    expect(await bounced.textContent()).toContain('Hard bounce');
  });
});

describe('someone who looks after delivery', () => {
  it('sees all of today’s bounces, and why, in two clicks', async () => {
    const bounced = ['bounce+one@simulator.amazonses.com', 'bounce+two@simulator.amazonses.com'];
    const soft = 'ooto@simulator.amazonses.com';
    for (const to of [...bounced, soft, 'success@simulator.amazonses.com']) await lab.send(to);
    const listed = async () =>
      JSON.stringify(await lab.call('GET', '/api/v1/sends?outcome=bounced,soft_bounced'));
    await expect
      .poll(async () => {
        const list = await listed();
        return [...bounced, soft].every((to) => list.includes(to));
      })
      .toBe(true);
    const { page, open, complaints } = await lab.openTab();
    await page.setViewportSize({ width: 1_440, height: 900 });
    await open('/console/emails');

    await page.getByRole('link', { name: /^Bounced/ }).click();
    await page.getByRole('link', { name: 'Today', exact: true }).click();

    const row = (to: string) => page.getByRole('row').filter({ hasText: to });
    for (const to of bounced) {
      await row(to).getByText('Hard bounce').waitFor();
      await row(to).getByText('This mailbox doesn’t exist').waitFor();
    }
    await row(soft).getByText('Soft bounce').waitFor();
    await page.getByText('each email is under the last outcome it reached').waitFor();
    await row(soft).getByText('Possibly an automatic reply, such as “out of office”').waitFor();
    expect(await row('success@simulator.amazonses.com').count()).toBe(0);
    // Nothing of it is cut, even where the subject has no room.
    for (const width of [1_440, 768]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await page.evaluate(
        '[...document.querySelectorAll(".because, .because .foreign")].filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 0).map((one) => one.textContent)',
      );
      expect(cut).toEqual([]);
      expect(await axeFaults(page)).toEqual([]);
    }

    await page.setViewportSize({ width: 320, height: 700 });
    await row(soft).getByText('Possibly an automatic reply, such as “out of office”').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    expect(complaints).toEqual([]);
  });
});

const deliverySchema = z.object({ type: z.string() });

/** A receiver that can be broken and repaired, and remembers what it got. */
async function startReceiver() {
  const state = { status: 410, answer: '<script>alert(1)</script>\u202eevil' };
  const got: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (state.status === 200) got.push({ headers: request.headers, body });
    response.writeHead(state.status).end(state.answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, 'port'> = z
    .object({ port: z.number() })
    .parse(server.address());
  return { url: `http://127.0.0.1:${port}/hook`, got, state };
}

describe('a developer whose receiver fails', () => {
  it('sees why, fixes it, redelivers one and then all, and verifies a message', async () => {
    const receiver = await startReceiver();
    const { page, open, complaints, showKey } = await lab.openTab();
    await showKey();
    const main = page.getByRole('main');
    const enable = page.getByRole('button', { name: 'Enable' });
    const isDisabled = main.getByText('It has received no events');

    // Adding it shows its secret once.
    await open('/console/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('email.delivered').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    const shown = page.locator('.notice code');
    await shown.waitFor();
    const secret = (await shown.textContent()) ?? '';
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    expect(await page.content()).not.toContain(secret);

    // It misses two emails: a 410 ends the delivery and disables the endpoint.
    for (const [index, to] of ['one@example.com', 'two@example.com'].entries()) {
      if (index > 0) await enable.click();
      if (index > 0) await isDisabled.waitFor({ state: 'detached' });
      await lab.send(to);
      await lookUntil(page, /^410 /, index + 1);
      await page.reload();
      await settled(page);
      await enable.waitFor();
    }
    const dialog = page.getByRole('dialog');
    await main.getByRole('link', { name: 'email.delivered' }).first().click();
    await dialog.getByText('The endpoint answered 410 Gone.').waitFor();
    await dialog.getByText('<script>alert(1)</script>').waitFor();
    await dialog.getByText('"to": "two@example.com"').waitFor();
    expect(await dialog.getByRole('definition').allTextContents()).toContain('application/json');
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // The receiver is fixed.
    receiver.state.status = 200;
    await enable.click();
    await isDisabled.waitFor({ state: 'detached' });
    await main.getByRole('link', { name: 'email.delivered' }).first().click();
    await dialog.getByRole('button', { name: 'Redeliver' }).click();
    await dialog.waitFor({ state: 'detached' });
    await lookUntil(page, /^200 /);
    await page.getByRole('button', { name: 'Redeliver failed…' }).click();
    await dialog.getByRole('button', { name: 'Redeliver all' }).click();
    await dialog.getByText('1 delivery started again. The log shows how they go.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await open(`${new URL(page.url()).pathname}?status=delivered`);
    await lookUntil(page, /^200 /, 2);
    // The newest is at the top, and leads to its email.
    await main.getByRole('link', { name: 'email.delivered' }).first().click();
    await dialog.getByText('webhook-id:').waitFor();
    await dialog.getByRole('link', { name: 'Open the email' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => receiver.got.length).toBe(2);

    // What came is valid; formatted again it isn't.
    const { headers = {}, body = '' } = receiver.got.at(-1) ?? {};
    const signed = Object.entries(headers).filter(([name]) => name.startsWith('webhook-'));
    expect(new Webhook(secret).verify(body, Object.fromEntries(signed.map(single)))).toMatchObject(
      deliverySchema.parse(JSON.parse(body)),
    );
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'Verify payload…' }).click();
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    await page.getByLabel('Headers').fill(lines.join('\n'));
    await page.getByLabel('Body', { exact: true }).fill(body);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await dialog.getByText('Valid: your receiver should accept this message.').waitFor();
    await page.getByLabel('Body', { exact: true }).fill(JSON.stringify(JSON.parse(body), null, 2));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await dialog.getByText('Not valid.').waitFor();
    await dialog.getByText(/something parsed the body/).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('a webhook endpoint with filters', () => {
  it('is added once the key was shown, and says on its page which emails it gets events of', async () => {
    const { page, open } = await lab.openTab();
    await open('/console/webhooks');

    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill('https://example.com/filtered');
    await page.getByLabel('Only emails with one of these tags').fill('kind:reset, kind:welcome');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    const question = page.getByRole('dialog', { name: 'Enter your API key' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('Enter your API key again').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await question.getByLabel('Your API key').fill(lab.stack.description.manageKey);
    await question.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'https://example.com/filtered' }).click();

    const facts = page.getByRole('main').locator('.facts');
    await facts.waitFor();
    expect(await facts.textContent()).toMatch(/EventsAllOnly tagskind:reset\s*kind:welcome/);
    await page.locator('.head').getByText('No deliveries yet').waitFor();
  });
});

describe('a webhook endpoint that answers 500', () => {
  it('is being retried from its first answer on, in the list and on its page, until it answers well', async () => {
    const receiver = await startReceiver();
    receiver.state.status = 500;
    const { page, open, complaints } = await lab.openTab();
    const body = { url: receiver.url, eventTypes: ['email.sent'] };
    await lab.call('POST', '/api/v1/webhooks', body);
    const row = page.getByRole('row').filter({ hasText: receiver.url });
    const health = async () => {
      await open('/console/webhooks');
      return row.getByRole('cell').last().textContent();
    };

    await lab.send('three@example.com');
    await expect.poll(health).toMatch(/^Retrying since \w+ \d+, \d\d:/);
    expect(await axeFaults(page)).toEqual([]);
    await row.getByRole('link').click();
    await page.getByText(/^1 delivery waits: 127\.0\.0\.1:\d+ answers 500 since /).waitFor();
    await page.getByText('1 × 500').waitFor();
    await page.locator('.head .badge.warn').getByText('Retrying').waitFor();
    receiver.state.status = 200;
    await lab.send('four@example.com');

    await expect.poll(health).toBe('No failures');
    expect(complaints).toEqual([]);
  });
});

describe('a webhook endpoint that was mended', () => {
  it('gets one waiting delivery at once, can be paused, and gets all the others with one click', async () => {
    const receiver = await startReceiver();
    receiver.state.status = 502;
    const { page, open, complaints } = await lab.openTab();
    const body = { url: receiver.url, eventTypes: ['email.sent'], description: 'orders' };
    const { id } = z
      .object({ id: z.string() })
      .parse(await lab.call('POST', '/api/v1/webhooks', body));
    const dialog = page.getByRole('dialog');
    for (const to of ['six@example.com', 'seven@example.com', 'eight@example.com']) {
      await lab.send(to);
    }
    await open(`/console/webhooks/${id}`);
    await lookUntil(page, /^3 deliveries wait: 127\.0\.0\.1:\d+ answers 502 since /);
    await page.getByText('3 × 502').waitFor();
    expect(await axeFaults(page)).toEqual([]);

    // One of them.
    receiver.state.status = 200;
    await page.getByRole('main').getByRole('link', { name: 'email.sent' }).first().click();
    await dialog.getByRole('button', { name: 'Retry now' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => receiver.got.length).toBe(1);

    // It waits in peace while somebody mends the rest.
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText(/^Paused since .*: 2 deliveries wait$/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Resume and retry all' }).click();
    await page.getByText('2 deliveries are due now.').waitFor();

    const { baseUrl, cronSecret } = lab.stack.description;
    const headers = { 'x-cron-secret': cronSecret };
    await fetch(`${baseUrl}/api/webhooks/queue/run`, { headers });
    await expect.poll(() => receiver.got.length).toBe(3);
    expect(complaints).toEqual([]);
  });
});

const single = ([name, value]: [string, unknown]): [string, string] => [name, `${value}`];

describe('a list that is longer than a page', () => {
  it('stays as long as a page, has addresses that last, and is saved whole', async () => {
    const to = 'often@example.com';
    const ids: string[] = [];
    for (let index = 0; index < 25; index += 1) ids.push((await lab.send(to)).sendId);
    const { page, open, showKey } = await lab.openTab();
    await showKey();
    const rows = page.locator('tbody tr');
    const first = `/console/emails?period=7d&to=${encodeURIComponent(to)}`;
    await page.clock.install();
    await expect
      .poll(async () => {
        await open(first);
        const older = page.getByRole('link', { name: 'Older' });
        if ((await older.count()) === 0) return 0;
        await older.click();
        await page.getByRole('link', { name: 'Newer' }).waitFor();
        await settled(page);
        return rows.count();
      })
      .toBe(5);

    await page.goBack();
    await expect.poll(() => rows.count()).toBe(20);
    await page.goForward();
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByRole('status').getByText('5 shown').waitFor();
    // Seven days begin later by then, but not those of the second page, which its cursor is for.
    await rows.first().getByRole('link').dblclick();
    await page.getByRole('list', { name: 'Steps' }).waitFor();
    await page.clock.fastForward(120_000);
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(5);
    await page.getByRole('link', { name: 'Newer' }).click();
    await expect.poll(() => rows.count()).toBe(20);
    expect(new URL(page.url()).search).toBe(new URL(first, page.url()).search);
    await open(`${first}&cursor=outdated`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Back to the first page' }).click();
    await expect.poll(() => rows.count()).toBe(20);

    // Stopped while it asks, then resumed.
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/api/v1/sends/export?*', async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    const exporting = page.getByRole('dialog', { name: 'Export as CSV' });
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await exporting.getByRole('button', { name: 'Close' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Export CSV' }).click();
    await exporting.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    letGo();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Resume' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    await page.getByRole('main').getByText('25 emails').waitFor();
    const [, ...records] = file.trim().split('\r\n');
    expect(records.map((record) => record.split(',')[0]).toSorted()).toEqual(ids.toSorted());
  });
});

describe('a person', () => {
  it('is found by the first letters, changed, and erased', async () => {
    const to = 'zoe@example.com';
    await lab.send(to);
    const { page, open } = await lab.openTab();
    await expect
      .poll(async () => {
        await open('/console/contacts?prefix=zo');
        return page.getByRole('link', { name: to }).count();
      })
      .toBe(1);

    await page.getByRole('link', { name: to }).click();
    await page.getByRole('button', { name: 'Change preferences…' }).click();
    await page.getByLabel('Newsletter').uncheck();
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await page.getByText('newsletter: unsubscribed').waitFor();
    expect(await lab.send(to, { policyKey: 'newsletter' })).toMatchObject({ status: 'suppressed' });

    await page.getByRole('button', { name: `Erase ${to}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await page.getByText('Erased.').waitFor();
    await page.getByText('You haven’t emailed this address.').waitFor();
  });

  it('is exported as a file, by somebody who answers a data request', async () => {
    const to = 'xena@example.com';
    const { sendId } = await lab.send(to, { subject: 'Your receipt' });
    const { page, open, complaints } = await lab.openTab();
    await open(`/console/addresses/${encodeURIComponent(to)}`);

    await page.getByRole('button', { name: 'Export…' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Enter your API key' });
    await question.getByLabel('Your API key').fill(lab.stack.description.manageKey);
    await question.getByRole('button', { name: 'Continue' }).click();
    const file = await (await saved).path();
    await page.getByText('The file is in your downloads.').waitFor();

    const { email, records } = JSON.parse(await readFile(file, 'utf8'));
    expect(email).toBe(to);
    expect(JSON.stringify(records)).toContain(String(sendId));
    expect(records.at(-1)).toMatchObject({ change: { action: 'contact.exported' } });
    // The browser's line about the answer that asked for the key.
    expect(complaints).toEqual([expect.stringContaining('status of 403')]);
  });

  it('can be erased again, having become a contact again', async () => {
    const to = 'yan@example.com';
    await lab.send(to);
    const { page, open } = await lab.openTab();
    const main = page.getByRole('main');
    const erase = page.getByRole('button', { name: `Erase ${to}` });
    await open(`/console/addresses/${encodeURIComponent(to)}`);
    await erase.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click();
    await main.getByText('You haven’t emailed this address.').waitFor();
    await main.getByText('Erased.').waitFor();

    await lab.send(to);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await main.getByText('Contact since').waitFor();

    await erase.waitFor();
    expect(await main.getByText('Erased.').count()).toBe(0);
  });
});

describe('an address that is suppressed again', () => {
  it('can be lifted again, in the list and on its page', async () => {
    const email = 'again@example.com';
    const suppress = () => lab.call('POST', '/api/v1/suppressions', { email });
    await suppress();
    const { page, open } = await lab.openTab();
    const main = page.getByRole('main');
    const lift = page.getByRole('button', { name: `Lift the suppression of ${email}` });
    const dialog = page.getByRole('dialog');
    const liftIt = async () => {
      await lift.click();
      await dialog.getByRole('button', { name: 'Lift it' }).click();
      await main.getByText('Lifted', { exact: false }).waitFor();
    };

    await open('/console/suppressions?reason=manual');
    await liftIt();
    await page.getByRole('button', { name: 'Suppress an address' }).click();
    await dialog.getByLabel('Address').fill(email);
    await dialog.getByRole('button', { name: 'Suppress', exact: true }).click();
    await lift.waitFor();

    await open(`/console/addresses/${encodeURIComponent(email)}`);
    await liftIt();
    await suppress();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await lift.waitFor();
  });
});

describe('someone who comes from another service', () => {
  it('imports its file with a report, tries out a lift, and exports what is there', async () => {
    const { page, open, complaints, showKey } = await lab.openTab();
    await showKey();
    const main = page.getByRole('main');
    const rows = ['email,reason', 'old1@example.com,bounce', 'nonsense', 'old2@example.com,bounce'];
    await open('/console/suppressions/move');
    await page.getByLabel('File').setInputFiles({
      name: 'bounces.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${rows.join('\n')}\n`),
    });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Import 4 lines' }).click();
    await main.getByText('2 addresses suppressed, 0 already were, 1 row rejected.').waitFor();
    await main.getByText('Line 3:').waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const file = await readFile(await (await download).path(), 'utf8');
    expect(file).toContain('old1@example.com,bounce,');

    const day = 86_400_000;
    const [from, until] = [-day, day].map((ms) => new Date(Date.now() + ms).toISOString());
    await open(`/console/suppressions/lift?from=${from}&until=${until}&reason=bounce`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await main.getByText('old2@example.com').waitFor();
    await page.getByRole('button', { name: 'Lift them…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    const existing = await lab.call('GET', '/api/v1/suppressions?reason=bounce');
    expect(JSON.stringify(existing)).toContain('old2@example.com');
    expect(complaints).toEqual([]);
  });

  it('previews a lift anew each time, and lifts what it previewed', async () => {
    const suppress = (email: string) =>
      lab.call('POST', '/api/v1/suppressions', { email, diagnostic: 'by our mistake' });
    for (const email of ['lift1@example.com', 'lift2@example.com']) await suppress(email);
    const { page, open } = await lab.openTab();
    const main = page.getByRole('main');
    const day = 86_400_000;
    const [from, until] = [-day, day].map((ms) => new Date(Date.now() + ms).toISOString());
    const words = encodeURIComponent('by our mistake');
    await open(
      `/console/suppressions/lift?from=${from}&until=${until}&reason=manual&diagnostic=${words}`,
    );
    // The first changes the address: a field has no seconds.
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await main.getByText('This would lift 2 suppressions').waitFor();
    await suppress('lift3@example.com');

    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();

    await main.getByText('This would lift 3 suppressions').waitFor();
    await suppress('later@example.com');
    await page.getByRole('button', { name: 'Lift them…' }).click();
    await page.getByRole('dialog', { name: 'Lift 3 suppressions?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift them' }).click();
    await main.getByText('3 suppressions lifted').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('notice');
  });

  it('chooses a corrected file again, and imports a file twice', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'console-import-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'bounces.csv');
    await writeFile(file, 'email,reason\nfile1@example.com,bounce\nnonsense\n');
    const { page, open } = await lab.openTab();
    const main = page.getByRole('main');
    const proceed = page.getByRole('button', { name: 'Continue' });
    await open('/console/suppressions/move');
    await page.getByLabel('File').setInputFiles(file);
    await proceed.click();
    await page.getByRole('button', { name: 'Import 3 lines' }).click();
    await main.getByText('1 address suppressed, 0 already were, 1 row rejected.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('notice');

    await proceed.click();
    await page.getByRole('button', { name: 'Import 3 lines' }).click();
    await main.getByText('0 addresses suppressed, 1 already were, 1 row rejected.').waitFor();
    await writeFile(file, 'email,reason\nfile1@example.com,bounce\nfile2@example.com,bounce\n');
    await proceed.click();
    await main.getByText('The file has changed. Choose it again.').waitFor();
    expect(await main.getByText('1 row rejected').count()).toBe(0);

    await page.getByLabel('File').setInputFiles(file);
    await proceed.click();
    await page.getByRole('button', { name: 'Import 3 lines' }).click();
    await main.getByText('1 address suppressed, 1 already were, 0 rows rejected.').waitFor();
  });
});

const keySchema = z.object({ key: z.string() });

describe('a key that may manage and nothing else', () => {
  it('shows which scope a page needs, and offers nothing that the service would refuse', async () => {
    const { sendId } = await lab.send('scoped@example.com');
    const made = await lab.call('POST', '/api/v1/api-keys', {
      name: 'manager',
      scopes: ['manage_organization'],
    });
    const { page, open, asked } = await lab.openTab(keySchema.parse(made).key);

    await open(`/console/emails/${sendId}`);
    const main = page.getByRole('main');
    expect(await main.textContent()).toContain('lacks the scope read_sends');
    expect(await main.getByRole('link', { name: 'API keys' }).count()).toBe(1);
    expect(asked).toEqual([]);
    await open(`/console/addresses/${encodeURIComponent('scoped@example.com')}`);
    await page.getByRole('button', { name: 'Erase scoped@example.com' }).waitFor();
    expect(await page.getByRole('button', { name: 'Change preferences…' }).count()).toBe(0);
  });
});
