import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { listen } from '../../infra/local/server.ts';
import { listenFrom } from '../support/listen-from.ts';
import { ended, openManageProgram } from '../support/manage-program.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin({ hasStream: true });
const { start, manage, json, stop } = openManageProgram(stack);
afterAll(async () => {
  stop();
});

async function send(to = 'ann@example.com', fields: object = {}): Promise<string> {
  const { baseUrl, apiKey } = stack;
  const response = await fetch(`${baseUrl}/api/v1/emails/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, subject: 'Welcome', content: 'Hello', ...fields }),
  });
  return z.object({ sendId: z.string() }).parse(await response.json()).sendId;
}

async function post(path: string, body: string): Promise<void> {
  const response = await fetch(`${stack.baseUrl}${path}`, { method: 'POST', body });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
}

const wanted = ['--domain', 'news.example.com', '--from-email', 'hello@news.example.com'];

const createdShape = z.object({
  organization: z.object({ id: z.string() }),
  apiKey: z.object({ id: z.string(), key: z.string() }),
});

describe('manage usage cost', () => {
  it('prints a row of CSV for each organization, whose parts add up to the last row', async () => {
    await json(['organizations', 'create', '--name', '=Shop, Ltd']);

    const { exitCode, output, words } = await manage(['usage', 'cost', '--month', '2026-11']);

    const [header, ...rows] = output.trimEnd().split('\r\n');
    expect(header).toBe(
      'month,organization_id,organization,sends,recipients,attachment_bytes,webhook_messages,ses_usd,service_usd,fixed_usd,total_usd',
    );
    expect(rows.some((row) => row.includes(`,"'=Shop, Ltd",0,0,0,0,0.00,0.00,`))).toBe(true);
    const totals = rows.map((row) => Math.round(Number(row.split(',').at(-1)) * 100));
    const total = totals.pop();
    expect(rows.at(-1)).toMatch(/^2026-11,total,,/);
    expect(totals.reduce((sum, cents) => sum + cents, 0)).toBe(total);
    expect(words).toContain('essentials: $0.16');
    expect(exitCode).toBe(0);
  });
});

describe('manage organizations and manage keys', () => {
  it('create, use, pause and delete an organization', async () => {
    const created = await json(['organizations', 'create', '--name', 'Acme Ltd']);
    const { organization, apiKey } = createdShape.parse(created);
    const asAcme = { EMAIL_SERVICE_KEY: apiKey.key };

    const listed = await manage(['organizations', 'list']);
    const settings = await json(
      ['settings', 'update', '--sender-name', 'Acme', '--reply-to', 'help@example.com'],
      asAcme,
    );
    const tracking = [
      await json(['settings', 'update', '--tracking', 'clicks'], asAcme),
      await json(
        ['settings', 'update', '--tracking', 'none', '--transactional-unsubscribe', 'off'],
        asAcme,
      ),
    ];
    const cleared = await json(['settings', 'update', '--reply-to', 'none'], asAcme);
    const paused = await json(['organizations', 'pause', organization.id, '--yes']);
    const resumed = await manage(['organizations', 'resume', organization.id]);
    const [disabled, enabled] = [
      await manage(['links', 'disable', '--organization', organization.id, '--yes']),
      await manage(['links', 'enable', '--organization', organization.id]),
    ];
    const again = createdShape.shape.apiKey.parse(
      await json(['organizations', 'new-key', organization.id]),
    );
    const asLast = { EMAIL_SERVICE_KEY: again.key };
    const shown = await manage(['settings', 'show'], asLast);
    const wrongName = await manage([
      ...['organizations', 'delete', organization.id, '--name', 'Acme', '--yes'],
    ]);
    const unasked = await manage([
      'organizations',
      'delete',
      organization.id,
      '--name',
      'Acme Ltd',
    ]);
    const deleted = await manage([
      ...['organizations', 'delete', organization.id, '--name', 'Acme Ltd', '--yes'],
    ]);
    const gone = await manage(['organizations', 'show', organization.id]);

    expect(listed.output).toMatch(new RegExp(`${organization.id} +Acme Ltd +active`));
    expect(settings).toMatchObject({ senderName: 'Acme', replyTo: 'help@example.com' });
    expect(cleared).not.toHaveProperty('replyTo');
    expect(tracking[0]).toMatchObject({ tracking: { opens: false, clicks: true } });
    expect(tracking[1]).not.toHaveProperty('tracking');
    expect(tracking[1]).toMatchObject({ transactionalUnsubscribe: false });
    expect(paused).toMatchObject({ paused: true });
    expect(resumed.output).toMatch(/State +active/);
    expect(disabled.output).toMatch(/Links +disabled/);
    expect(enabled.output).toMatch(/Links +enabled/);
    expect(shown.output).toMatch(/Sender name +Acme\n/);
    expect([wrongName, unasked, deleted, gone].map(({ exitCode }) => exitCode)).toEqual([
      2, 2, 0, 3,
    ]);
  });

  it("set an organization's limits, show its use, and reset them", async () => {
    const created = await json(['organizations', 'create', '--name', 'Bounded Ltd']);
    const { organization } = createdShape.parse(created);
    const limits = ['organizations', 'limits', organization.id];

    const set = await manage([...limits, 'apiKeys=5', 'recipientsPerDay=1000']);
    const reset = await manage([...limits, 'apiKeys=default']);
    const nonsense = await manage([...limits, 'apiKeys=many']);

    expect(set.output).toMatch(/^apiKeys +5 +1 +this organization$/m);
    expect(set.output).toMatch(/^recipientsPerDay +1000 +0 +this organization$/m);
    expect(reset.output).toMatch(/^apiKeys +100 +1 +all$/m);
    expect(nonsense.words).toContain('write name=number or name=default');
  });

  it("set an organization's link domain, and release earlier ones after confirmation", async () => {
    const names = ['Linked Ltd', 'Later Ltd'];
    const [id = '', other = ''] = await Promise.all(
      names.map(async (name) => {
        const created = await json(['organizations', 'create', '--name', name]);
        return createdShape.parse(created).organization.id;
      }),
    );
    const domain = (host: string, ...args: readonly string[]) =>
      manage(['links', 'domain', host, ...args]);
    const own = ['--organization', id];

    const set = await domain('one.localhost', ...own);
    const moved = await domain('two.localhost', ...own);
    const back = await domain('none', ...own);
    const taken = await domain('one.localhost', '--organization', other);
    const unasked = await domain('none', '--give-back', ...own);
    const given = await json(['links', 'domain', 'none', '--give-back', '--yes', ...own]);
    const free = await domain('one.localhost', '--organization', other);
    const foreign = await domain('links.example.com', ...own);
    const ofNobody = await domain('two.localhost');

    expect(set.output).toMatch(/^Links lead to +one\.localhost$/m);
    expect(set.output).not.toContain('Earlier links');
    expect(moved.output).toMatch(/^Earlier links +one\.localhost$/m);
    expect(back.output).toMatch(/^Earlier links +two\.localhost one\.localhost$/m);
    expect(back.output).not.toContain('Links lead to');
    expect(taken.words).toContain('link_domain_taken');
    expect(unasked.words).toContain('--yes');
    expect(given).toMatchObject({ id });
    expect(given).not.toHaveProperty('formerLinkDomains');
    expect(free.output).toMatch(/^Links lead to +one\.localhost$/m);
    expect(foreign.words).toContain('linkDomain: must be one of *.localhost');
    expect(ofNobody.words).toContain('--organization');
    expect(
      [set, moved, back, taken, unasked, free, foreign, ofNobody].map(({ exitCode }) => exitCode),
    ).toEqual([0, 0, 0, 5, 2, 0, 2, 2]);
  });

  it('create, list, change, rotate and revoke a key', async () => {
    const create = ['keys', 'create', '--name', 'billing', '--scopes', 'send_email,read_sends'];
    const made = z
      .object({ id: z.string(), key: z.string() })
      .parse(
        await json([...create, '--daily-cap', '5000', '--valid-until', '2099-01-01T00:00:00Z']),
      );

    const changed = await json([
      'keys',
      'update',
      made.id,
      '--daily-cap',
      'none',
      '--per-minute-cap',
      '9',
    ]);
    const successor = z
      .object({ id: z.string(), name: z.string() })
      .parse(await json(['keys', 'rotate', made.id]));
    const unasked = await manage(['keys', 'rotate', successor.id, '--overlap-hours', '0']);
    const revoked = await manage(['keys', 'revoke', made.id, '--yes']);
    const listed = await manage(['keys', 'list', '--all']);
    const requests = await manage(['requests', '--code', 'validation_failed']);
    const audit = await manage(['audit', '--limit', '1']);
    const mistyped = await manage([...create.slice(0, 4), '--scopes', 'send_emial']);

    expect(changed).toMatchObject({ perMinuteCap: 9, validUntil: Date.UTC(2099, 0) });
    expect(changed).not.toHaveProperty('dailyCap');
    expect(successor.name).toBe('billing');
    expect(unasked.exitCode).toBe(2);
    expect(revoked).toMatchObject({ exitCode: 0, output: '' });
    expect(listed.output).toMatch(
      new RegExp(`${made.id} +billing +revoked +9 .* send_email read_sends\n`),
    );
    expect(listed.output).not.toContain(made.key);
    expect(requests.words).toContain('Nothing was refused.');
    expect(audit.output).toContain('api_key.revoked');
    expect(audit.words).toContain('--cursor');
    expect(mistyped.words).toContain('Did you mean send_email?');
  });
});

describe('manage people', () => {
  it('invites, lists, changes and removes somebody by their address', async () => {
    const invite = ['people', 'invite', 'Carol@example.com', '--role'];

    const mistyped = await manage([...invite, 'suport']);
    const invited = await json([...invite, 'support']);
    const again = await manage([...invite, 'viewer']);
    const changed = await manage(['people', 'role', 'Carol@example.com', '--role', 'developer']);
    const listed = await manage(['people', 'list']);
    const unasked = await manage(['people', 'remove', 'carol@example.com']);
    const removed = await manage(['people', 'remove', 'carol@example.com', '--yes']);
    const unknown = await manage(['people', 'remove', 'carol@example.com', '--yes']);

    const { id } = z.object({ id: z.string() }).parse(invited);
    expect(invited).toMatchObject({ email: 'carol@example.com', role: 'support' });
    expect(mistyped.words).toContain('Did you mean support?');
    expect(again.words).toContain('person_exists');
    expect(changed.output).toMatch(/^Role +developer$/m);
    expect(listed.output).toMatch(
      new RegExp(`^${id} +carol@example.com +developer +invited `, 'm'),
    );
    expect(removed).toMatchObject({ exitCode: 0, output: '' });
    expect(unknown.words).toContain('Nobody here has the address carol@example.com');
    expect([mistyped, again, unasked, unknown].map(({ exitCode }) => exitCode)).toEqual([
      2, 5, 2, 3,
    ]);
  });

  it('takes their id as well, and removing somebody can be repeated', async () => {
    const invite = ['people', 'invite', 'dave@example.com', '--role', 'viewer'];
    const { id } = z.object({ id: z.string() }).parse(await json(invite));

    const changed = await json(['people', 'role', id, '--role', 'admin']);
    const removed = await manage(['people', 'remove', id, '--yes']);
    const again = await manage(['people', 'remove', id, '--yes']);

    expect(changed).toMatchObject({ id, role: 'admin', status: 'invited' });
    expect([removed.exitCode, again.exitCode]).toEqual([0, 0]);
  });
});

describe('manage policies and manage categories', () => {
  it('set, list and delete them', async () => {
    const category = await json(['categories', 'create', 'offers', '--name', 'Offers']);
    const renamed = await manage(['categories', 'rename', 'offers', '--name', 'Special offers']);
    const policy = await json([
      'policies',
      'set',
      'offers',
      '--kind',
      'bulk',
      '--category',
      'offers',
      '--track-opens',
      'off',
    ]);
    const policies = await manage(['policies', 'list']);
    const inUse = await manage(['categories', 'delete', 'offers', '--yes']);
    const unset = await manage(['policies', 'delete', 'offers', '--yes']);
    const deleted = await manage(['categories', 'delete', 'offers', '--yes']);
    const categories = await manage(['categories', 'list']);

    expect(category).toMatchObject({ key: 'offers', name: 'Offers' });
    expect(renamed.output).toMatch(/offers +Special offers/);
    expect(policy).toMatchObject({
      ...{ key: 'offers', kind: 'bulk', categoryKey: 'offers' },
      tracking: { opens: false },
    });
    expect(policies.output).toMatch(/offers +bulk +offers +no .*the organization/);
    expect([inUse, unset, deleted].map(({ exitCode }) => exitCode)).toEqual([5, 0, 0]);
    expect(categories.output).toContain('newsletter');
    expect(categories.output).not.toContain('offers');
  });
});

describe('manage identity', () => {
  it('sets an identity and waits until it is verified', async () => {
    const setting = start(['identity', 'set', ...wanted, '--wait']);
    let words = '';
    setting.stderr.on('data', (part) => {
      words += part;
    });
    const running = ended(setting);
    await vi.waitFor(() => expect(words).toMatch(/pending: 0 of \d+ records found/), patience);
    const early = await manage(['identity', 'status']);

    const zoneFile = await manage(['identity', 'zone-file']);
    await post('/_local/dns', zoneFile.output);
    const { exitCode, output } = await running;

    expect(early.exitCode).toBe(7);
    expect(early.output).toMatch(/missing +dkim +CNAME/);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/Status +active/);
    expect(output).toMatch(/Sends as +hello@news\.example\.com/);
  });

  it('reports wrong DNS records', async () => {
    const zoneFile = await manage(['identity', 'zone-file']);
    await post(
      '/_local/dns',
      zoneFile.output.replace(/^(bounces\S+ \d+ IN MX 10) \S+/m, '$1 mx.example.org.'),
    );

    const { output } = await manage(['identity', 'status']);

    expect(output).toMatch(/wrong +mail from mx \(optional\) +MX/);
    expect(output).toContain('mx.example.org');
  });
});

describe('manage domains', () => {
  it('adds, verifies, defaults to and removes a domain', async () => {
    const added = await manage(['domains', 'add', 'billing.example.com']);
    const zoneFile = await manage(['domains', 'show', 'billing.example.com', '--zone-file']);
    await post('/_local/dns', zoneFile.output);
    const verified = await manage(['domains', 'verify', 'billing.example.com']);
    const chosen = await manage(['domains', 'default', 'billing.example.com']);
    const listed = await manage(['domains', 'list']);
    await manage(['domains', 'default', 'news.example.com']);
    const removed = await manage(['domains', 'remove', 'billing.example.com', '--yes']);
    const after = await manage(['domains', 'list']);

    expect(added.output).toMatch(/missing +dkim +CNAME/);
    expect(verified.output).toMatch(/Status +active/);
    expect(chosen.output).toMatch(/Sends as +hello@billing\.example\.com/);
    expect(listed.output).toMatch(/billing\.example\.com +yes +active +yes/);
    expect(listed.output).toMatch(/news\.example\.com +no +active +yes/);
    expect(removed.exitCode).toBe(0);
    expect(after.output).not.toContain('billing');
  });
});

describe('manage contacts', () => {
  it('lists, shows, unsubscribes, exports and erases a person', async () => {
    const email = 'olga@example.com';
    const other = 'otto@example.com';
    await send(email);
    await manage(['suppressions', 'add', other]);
    await vi.waitFor(async () => {
      const { output } = await manage(['contacts', 'list', '--prefix', 'o']);
      expect(output).toContain(other);
    }, patience);

    const left = await manage(['contacts', 'unsubscribe', other, 'newsletter']);
    const joined = await manage(['contacts', 'subscribe', other, 'newsletter']);
    const shown = await manage(['contacts', 'show', other]);
    const exported = await manage(['contacts', 'export', email]);
    const unasked = await manage(['contacts', 'erase', email]);
    const erased = await manage(['contacts', 'erase', email, '--yes']);
    const gone = await manage(['contacts', 'show', email]);

    expect(left.output).toMatch(/^newsletter +no$/m);
    expect(joined.output).toMatch(/^newsletter +yes$/m);
    expect(shown.output).toMatch(/^Address +otto@example\.com$/m);
    expect(shown.output).toMatch(/ manual/);
    expect(exported.output).toContain('"subject": "Welcome"');
    expect(unasked.words).toContain('Suppressions stay');
    expect(erased.words).toContain('olga@example.com was erased.');
    expect([unasked, erased, gone].map(({ exitCode }) => exitCode)).toEqual([2, 0, 3]);
  });

  it('erases everybody in a file', async () => {
    const people = ['pia@example.com', 'paul@example.com'];
    for (const email of people) await manage(['suppressions', 'add', email]);

    const { exitCode, words } = await manage(
      ['contacts', 'erase', '--file', '-', '--yes'],
      {},
      people.join('\n'),
    );

    expect(words).toContain('2 of 2 erased.');
    expect(exitCode).toBe(0);
    for (const email of people) {
      expect((await manage(['contacts', 'show', email])).exitCode).toBe(3);
    }
  });
});

const messagesShape = z.object({
  messages: z.array(z.object({ providerMessageId: z.string() })),
});
const listShape = z.object({ data: z.array(z.object({ _id: z.string() })) });

describe('manage sends', () => {
  it('lists sends by address', async () => {
    const sendId = await send('cleo@example.com');
    await send('bob@example.com');

    await vi.waitFor(async () => {
      const listed = await json(['sends', 'list', '--to', 'cleo@example.com', '--all']);
      expect(listShape.parse(listed).data.map(({ _id }) => _id)).toEqual([sendId]);
    }, patience);
  });

  it('searches by part of an address and by id, with several outcomes', async () => {
    const sendId = await send('bounce+nora@simulator.amazonses.com');
    const outcome = ['--outcome', 'bounced,soft_bounced'];

    await vi.waitFor(async () => {
      for (const text of ['NORA@', sendId]) {
        const listed = await json(['sends', 'list', '--search', text, ...outcome]);
        expect(listShape.parse(listed).data.map(({ _id }) => _id)).toEqual([sendId]);
      }
    }, patience);
  });

  it('shows stored content and sends it again', async () => {
    await manage(['settings', 'update', '--keep-content-days', '7']);
    const sendId = await send('dora@example.com');

    const content = await manage(['sends', 'content', sendId]);
    const again = await manage(['sends', 'resend', sendId, '--to', 'emil@example.com']);
    const timeline = await manage(['sends', 'show', sendId]);
    await manage(['settings', 'update', '--keep-content-days', 'none']);

    expect(content.output).toMatch(/To +dora@example\.com/);
    expect(again.output).toMatch(/Send +snd_/);
    expect(again.output).toMatch(/Status +.*sent/);
    expect(timeline.output).toMatch(/Sent again as +snd_/);
  });

  it('moves and cancels waiting emails', async () => {
    const sendId = await send('finn@example.com', { sendAt: Date.now() + 3_600_000 });
    const at = new Date(Date.now() + 7_200_000).toISOString();

    const moved = await manage(['sends', 'move', sendId, '--at', at]);
    const shown = await manage(['sends', 'show', sendId]);
    const unsaid = await manage(['sends', 'move', sendId]);
    const canceled = await manage(['sends', 'cancel', sendId]);
    const late = await manage(['sends', 'move', sendId, '--at', at]);

    expect(moved.output).toMatch(/Status +.*scheduled.*\nGoes out +\d{4}-/);
    expect(shown.output).toMatch(/Scheduled for +\d{4}-/);
    expect(canceled.output).toMatch(/Status +.*canceled/);
    expect([unsaid, late].map(({ exitCode }) => exitCode)).toEqual([2, 5]);
    expect(late.words).toContain('send_not_waiting');
  });

  it('cancels all waiting emails of a key at once', async () => {
    const sendAt = Date.now() + 3_600_000;
    const ids = [
      await send('hans@example.com', { sendAt }),
      await send('ivy@example.com', { sendAt }),
    ];
    const { apiKeyId } = z
      .object({ data: z.tuple([z.object({ apiKeyId: z.string() })]) })
      .transform(({ data: [first] }) => first)
      .parse(await json(['sends', 'list', '--to', 'ivy@example.com', '--limit', '1']));

    const canceled = await manage(['sends', 'cancel', '--key', apiKeyId, '--yes']);
    const none = await manage(['sends', 'cancel', '--key', apiKeyId, '--yes']);
    const neither = await manage(['sends', 'cancel']);

    for (const id of ids) expect(canceled.output).toContain(id);
    expect(none.words).toContain(`No email of ${apiKeyId} is waiting.`);
    expect(neither.exitCode).toBe(2);
  });

  it('shows a send by its SES message id', async () => {
    const sendId = await send('gina@example.com');
    const { messages } = messagesShape.parse(await json(['sends', 'show', sendId]));
    const [{ providerMessageId = '' } = {}] = messages;

    const shown = await manage(['sends', 'show', providerMessageId]);
    const unknown = await manage(['sends', 'show', `${providerMessageId}-unknown`]);

    expect(shown.output).toContain(sendId);
    expect(unknown.exitCode).toBe(3);
  });

  it('exits with 3 for an unknown id', async () => {
    const { exitCode, output, words } = await manage(['sends', 'show', 'snd_x', '--json']);

    expect({ exitCode, output }).toEqual({ exitCode: 3, output: '' });
    expect(JSON.parse(words)).toMatchObject({ code: 'send_not_found', exitCode: 3 });
  });
});

describe('an address that bounced', () => {
  it('has a timeline, is explained, and gets email again once it is lifted', async () => {
    const email = 'bounce@simulator.amazonses.com';
    const sendId = await send(email);
    await vi.waitFor(async () => {
      const { output } = await manage(['recipients', 'why', email]);
      expect(output).toMatch(/bounce .*550 5\.1\.1/);
      expect(output).toContain('✗');
    }, patience);

    const timeline = await manage(['sends', 'show', sendId]);
    const unasked = await manage(['suppressions', 'lift', email]);
    const lifted = await manage(['suppressions', 'lift', email, '--yes']);
    const again = await manage(['suppressions', 'lift', email, '--yes']);
    const after = await manage(['recipients', 'why', email]);

    expect(timeline.output).toMatch(/bounced {2}Permanent.*\n.*smtp; 550/);
    expect([unasked, lifted, again].map(({ exitCode }) => exitCode)).toEqual([2, 0, 3]);
    expect(lifted.output).toMatch(/^Lifted: bounce\./);
    expect(again.words).toContain('--reason unsubscribe');
    expect(after.output).toContain('Nothing suppresses the address now');
  });
});

describe('manage suppressions', () => {
  it('imports a file, lifts by cause, and exports a file', async () => {
    const csv = [
      'email,reason,at,diagnostic',
      'cy@example.com,bounce,2026-11-20T09:00:00Z,550 SPF fails',
      'di@example.com,bounce,2026-11-20T10:00:00Z,550 user unknown',
      'not an address,bounce,2026-11-20T10:00:00Z,',
    ].join('\n');
    const window = ['--from', '2026-11-20', '--until', '2026-11-21', '--diagnostic', 'spf'];

    const imported = await manage(['suppressions', 'import', '-'], {}, csv);
    const repeated = await manage(['suppressions', 'import', '-'], {}, csv);
    const added = await json(['suppressions', 'add', 'ed@example.com', '--diagnostic', 'by phone']);
    const looked = await manage(['suppressions', 'lift-many', ...window]);
    const lifted = await json(['suppressions', 'lift-many', ...window, '--apply', '--yes']);
    const exported = await manage(['suppressions', 'export']);
    const listed = await manage(['suppressions', 'list', '--reason', 'manual']);

    expect(imported.words).toContain('2 imported, 0 already there, 1 refused.');
    expect(imported.exitCode).toBe(7);
    expect(repeated.words).toContain('0 imported, 2 already there, 1 refused.');
    expect(imported.output).toMatch(/^ +4 +\S/m);
    expect(added).toMatchObject({ email: 'ed@example.com', reason: 'manual' });
    expect(looked.output).toContain('cy@example.com');
    expect(looked.words).toContain('1 match. Nothing was lifted');
    expect(lifted).toMatchObject({ dryRun: false, lifted: 1 });
    expect(exported.output).not.toContain('cy@example.com');
    expect(exported.output).toMatch(/di@example\.com.*bounce.*user unknown/);
    expect(listed.output).toMatch(/manual +ed@example\.com +by phone/);
  });
});

const webhookShape = z.object({ id: z.string(), secret: z.string() });
const deliveriesShape = z.object({ data: z.array(z.object({ id: z.string() })) });

describe('manage webhooks', () => {
  it('adds, changes, pauses, tests, retries, repeats and deletes', async () => {
    const received: string[] = [];
    let status = 500;
    const receiver = await listen(
      createServer(async (request, response) => {
        received.push(await text(request));
        response.writeHead(status).end('Out of memory');
      }),
      0,
    );
    onTestFinished(receiver.stop);
    const create = ['webhooks', 'create', `${receiver.url}/hooks`, '--events', 'email.bounced'];
    const { id, secret } = webhookShape.parse(await json(create));

    const changed = await json(['webhooks', 'update', id, '--events', 'all', '--tags', 'kind:no']);
    const tested = await manage(['webhooks', 'test', id]);
    const deliveriesOf = (...filter: readonly string[]) => [
      'webhooks',
      'deliveries',
      id,
      ...filter,
    ];
    await vi.waitFor(async () => {
      const { output } = await manage(deliveriesOf());
      expect(output).toMatch(/pending +webhook\.test +1 +500 /);
    }, patience);
    const { data } = deliveriesShape.parse(await json(deliveriesOf('--status', 'pending')));
    const [{ id: delivery = '' } = {}] = data;
    const shown = await manage(['webhooks', 'show', id]);
    const paused = await manage(['webhooks', 'pause', id]);
    const refused = await manage(['webhooks', 'retry', delivery]);
    const resumed = await manage(['webhooks', 'resume', id]);
    status = 204;
    const retried = await manage(['webhooks', 'retry', delivery]);
    await vi.waitFor(async () => {
      const { output } = await manage(['webhooks', 'delivery', id, delivery]);
      expect(output).toMatch(/^Status +delivered$/m);
    }, patience);
    const one = await manage(['webhooks', 'delivery', id, delivery]);
    const repeated = await manage(['webhooks', 'redeliver', delivery]);
    const waiting = await manage(['webhooks', 'retry-waiting', id]);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const failed = await manage(['webhooks', 'redeliver-failed', id, '--since', since]);
    const rotated = webhookShape.parse(await json(['webhooks', 'rotate-secret', id]));
    const deleted = await manage(['webhooks', 'delete', id, '--yes']);
    const after = await manage(['webhooks', 'show', id]);

    expect(changed).toMatchObject({ eventTypes: [], tags: ['kind:no'] });
    expect(tested.output).toMatch(/^Type +webhook\.test$/m);
    expect(shown.output).toMatch(/^Waiting +1 message, since /m);
    expect(paused.output).toMatch(/^State .*paused$/m);
    expect(refused.words).toContain('`webhooks resume`');
    expect(resumed.output).not.toContain('paused');
    expect(retried.exitCode).toBe(0);
    expect(one.output).toMatch(/ 500 +Out of memory$/m);
    expect(repeated.output).toMatch(new RegExp(`^Repeats +${delivery}$`, 'm'));
    expect(waiting.exitCode).toBe(0);
    expect(failed.output).toContain('Nothing to repeat.');
    expect(rotated.secret).not.toBe(secret);
    expect([refused, deleted, after].map(({ exitCode }) => exitCode)).toEqual([5, 0, 3]);
  });
});

describe('manage metrics', () => {
  it('shows what was sent, by receiver and hour', async () => {
    await send('quinn@example.com');

    await vi.waitFor(async () => {
      const { output } = await manage(['metrics', '--interval', 'hour', '--by', 'domain']);
      expect(output).toMatch(/^Sent +[1-9]/m);
      expect(output).toMatch(/^PERIOD +SENT +DELIVERED/m);
      expect(output).toMatch(/^VALUE +SENT/m);
    }, patience);
    const wrong = await manage(['metrics', '--time-zone', 'Mars']);

    expect(wrong.words).toContain('timeZone: ');
    expect(wrong.exitCode).toBe(2);
  });
});

describe('manage webhooks listen', () => {
  it('forwards messages unchanged, and removes its endpoint when it stops', async () => {
    const received: { headers: Record<string, string>; body: string }[] = [];
    const receiver = await listen(
      createServer(async (request, response) => {
        const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`]);
        received.push({ headers: Object.fromEntries(headers), body: await text(request) });
        response.writeHead(204).end();
      }),
      0,
    );
    onTestFinished(receiver.stop);
    const listener = start(['webhooks', 'listen', '--forward-to', `${receiver.url}/hooks`]);
    let words = '';
    listener.stderr.on('data', (part) => {
      words += part;
    });
    const running = ended(listener);
    await vi.waitFor(() => expect(words).toContain('Ctrl-C'), patience);

    const sendId = await send();
    await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(2), patience);
    const during = await manage(['webhooks', 'list', '--json']);
    listener.kill('SIGINT');
    const { exitCode, output } = await running;
    const after = await manage(['webhooks', 'list', '--json']);

    const secret = /whsec_\S+/.exec(words)?.[0] ?? '';
    const verified = received.map(({ headers, body }) => new Webhook(secret).verify(body, headers));
    expect(verified).toContainEqual(
      expect.objectContaining({ type: 'email.sent', data: expect.objectContaining({ sendId }) }),
    );
    expect(output).toMatch(/204 {2}email\.sent {2}msg_/);
    expect(exitCode).toBe(0);
    expect(JSON.parse(during.output).data).toHaveLength(1);
    expect(JSON.parse(after.output).data).toEqual([]);
  });

  it('forwards messages to any port, even one that fetch refuses', async () => {
    const received = Promise.withResolvers<string>();
    const receiver = await listenFrom(
      createServer(async (request, response) => {
        received.resolve(await text(request));
        response.writeHead(204).end();
      }),
      6_665,
    );
    onTestFinished(receiver.stop);
    await expect(fetch(receiver.url)).rejects.toThrow();
    const listener = start([
      'webhooks',
      'listen',
      '--forward-to',
      receiver.url.replace('http://127.0.0.1', 'localhost'),
    ]);
    const running = ended(listener);
    await vi.waitFor(async () => {
      const { output: list } = await manage(['webhooks', 'list', '--json']);
      expect(JSON.parse(list).data).toHaveLength(1);
    }, patience);

    await send();

    expect(await received.promise).toContain('email.sent');
    listener.kill('SIGTERM');
    await running;
  });

  it('makes the service retry what the receiver rejects', async () => {
    const silent = await listen(createServer(), 0);
    await silent.stop();
    const listener = start(['webhooks', 'listen', '--json', '--forward-to', silent.url]);
    let output = '';
    listener.stdout.on('data', (part) => {
      output += part;
    });
    const running = ended(listener);
    await vi.waitFor(async () => {
      const { output: list } = await manage(['webhooks', 'list', '--json']);
      expect(JSON.parse(list).data).toHaveLength(1);
    }, patience);

    const sendId = await send();
    await vi.waitFor(() => expect(output).toContain('ECONNREFUSED'), patience);
    await vi.waitFor(async () => {
      const { output: timeline } = await manage(['sends', 'show', sendId, '--json']);
      const shown = expect.objectContaining({ status: 'pending', lastStatusCode: 502 });
      expect(JSON.parse(timeline).webhooks).toContainEqual(shown);
    }, patience);
    listener.kill('SIGTERM');

    expect(await running).toMatchObject({ exitCode: 0 });
  });
});

describe('manage doctor', () => {
  it('finds no problem on a healthy twin', async () => {
    const { exitCode, output } = await manage(['doctor']);

    expect(output).toMatch(/^✓ service: /m);
    expect(output).toMatch(/^✓ version: \d+\.\d+\.\d+$/m);
    expect(output).toMatch(/^✓ account: /m);
    expect(output).toMatch(/^✓ identity: news\.example\.com is active$/m);
    expect(output).toMatch(/^✓ tokens: k1 signs, of 1 key$/m);
    expect(output).not.toContain('✗');
    expect(exitCode).toBe(0);
  });

  it("can't check the organization with a key that may only send, and isn't alarmed", async () => {
    const { apiKey } = stack;

    const { exitCode, output } = await manage(['doctor'], { EMAIL_SERVICE_KEY: apiKey });

    expect(output).toMatch(/^\? organization: .*\n +→ .*manage_organization/m);
    expect(exitCode).toBe(0);
  });

  it('reports what keeps the organization from sending, and what to do', async () => {
    await post('/_local/ses', JSON.stringify({ account: { ProductionAccessEnabled: false } }));
    const rotate = ['signing-key', 'rotate', '--yes', '--no-wait', '--json'];
    const added = await json(rotate.slice(0, -1));
    const early = await manage(rotate);
    await manage(['organizations', 'pause', stack.organizationId, '--yes']);

    const { exitCode, output, words } = await manage(['doctor']);

    expect(added).toMatchObject({ step: 'added', key: 'k2' });
    expect(early).toMatchObject({ exitCode: 6, output: '' });
    expect(JSON.parse(early.words)).toMatchObject({ code: 'too_early' });
    expect(output).toMatch(/✗ sandbox: .*\n +→ Ask AWS for production access/);
    expect(output).toMatch(/✗ tokens: k2 was added.*\n +→ npm run manage -- signing-key rotate/);
    expect(output).toMatch(/✗ organization: .* is paused\n +→ .*organizations resume org_/);
    expect({ exitCode, words }).toEqual({ exitCode: 7, words: '3 problems.\n' });
  });

  it('distinguishes a wrong key from an unreachable service', async () => {
    const wrongKey = await manage(['doctor'], { EMAIL_SERVICE_KEY: 'nope' });
    const silent = await manage(['doctor', '--url', 'http://127.0.0.1:9'], {
      EMAIL_SERVICE_KEY: 'k',
    });

    expect(wrongKey.output).toMatch(/^✗ key: /m);
    expect(silent.output).toMatch(/^✗ service: No answer/m);
    expect([wrongKey.exitCode, silent.exitCode]).toEqual([7, 7]);
  });
});

describe('the API key for manage', () => {
  it('comes from standard input or the environment', async () => {
    const { baseUrl, manageKey } = stack;
    const byInput = ['webhooks', 'list', '--url', baseUrl, '--key-file', '-'];

    const program = start(byInput);
    program.stdin.end(`${manageKey}\n`);
    const piped = await ended(program);
    const set = await manage(['webhooks', 'list', '--url', baseUrl], {
      EMAIL_SERVICE_KEY: manageKey,
    });
    const wrong = await manage(['webhooks', 'list', '--url', baseUrl], {
      EMAIL_SERVICE_KEY: 'nope',
    });

    expect([piped.exitCode, set.exitCode, wrong.exitCode]).toEqual([0, 0, 4]);
    expect(wrong.words).toMatch(/invalid_api_key, request \S+/);
  });
});
