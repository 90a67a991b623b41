import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { createApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import { scopes } from '#shared/access/scopes';
import { putOrganization } from '#shared/organizations/organization-store';

import { openTable } from '#shared/table/table-client';
import { endpoint } from '../../functions/get-identity/get-identity.ts';
import { tableName } from '../../infra/local/environment.ts';
import { listen } from '../../infra/local/server.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin();

const path = '/api/v1/organization/identity';

async function request(method: string, url: string, key: string | undefined, body?: unknown) {
  const response = await fetch(`${stack.baseUrl}${url}`, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

let domains = 0;
const newDomain = () => {
  domains += 1;
  return `mail.org-${domains}.example`;
};

/** An organization without an identity, and its manager. */
async function newManager() {
  const { identity: _, ...organization } = buildOrganization();
  const { text, apiKey } = createApiKey(organization.id, {
    name: 'manage',
    scopes: [...scopes],
    createdAt: organization.createdAt,
  });
  const table = openTable(tableName);
  await putOrganization(table, organization);
  await putApiKey(table, apiKey);
  const view = async () =>
    endpoint.answers[200].body.parse((await request('GET', path, text)).json);
  return {
    organizationId: organization.id,
    key: text,
    view,
    set: (fields: object) => request('PUT', path, text, fields),
    setDomain: async (domain: string) => {
      const body = { domain, fromEmail: `hello@${domain}` };
      return endpoint.answers[200].body.parse((await request('PUT', path, text, body)).json);
    },
    remove: () => request('DELETE', path, text),
    send: () =>
      request('POST', '/api/v1/emails/send', text, {
        to: 'ann@example.com',
        subject: 'Hi',
        content: 'Hi',
      }),
  };
}

const publish = (zoneFile: string) => request('POST', '/_local/dns', undefined, zoneFile);
const turn = (switches: object) => request('POST', '/_local/ses', undefined, switches);

/** An organization whose identity is active. */
async function newSender() {
  const manager = await newManager();
  const domain = newDomain();
  const { zoneFile } = await manager.setDomain(domain);
  await publish(zoneFile);
  await manager.view();
  return { ...manager, domain };
}

describe('a new From identity', () => {
  it('makes SES stop emailing bounces to the sender', async () => {
    const manager = await newManager();
    const domain = newDomain();

    await manager.setDomain(domain);

    const { json } = await turn({});
    expect(json).toMatchObject({ identities: { [domain]: { forwarding: false } } });
  });

  it('returns the records to publish, by full name, relative name and as a zone file', async () => {
    const manager = await newManager();
    const domain = newDomain();

    const identity = await manager.setDomain(domain);

    const zone = domain.slice('mail.'.length);
    expect(identity).toMatchObject({
      domain,
      status: 'pending',
      sendingAs: null,
      dkim: { status: 'PENDING' },
      mailFrom: { domain: `bounces.${domain}`, status: 'PENDING' },
    });
    expect(identity.records.map(({ purpose, state }) => [purpose, state])).toEqual([
      ['ownership', 'missing'],
      ['dkim', 'missing'],
      ['dkim', 'missing'],
      ['dkim', 'missing'],
      ['mail_from_mx', 'missing'],
      ['mail_from_spf', 'missing'],
      ['dmarc', 'missing'],
    ]);
    for (const { name, relativeName } of identity.records) {
      expect(`${relativeName}.${zone}`).toBe(name);
    }
    expect(identity.zoneFile).toContain(
      `bounces.${domain}. 3600 IN MX 10 feedback-smtp.us-east-1.amazonses.com.`,
    );
  });

  it('becomes active once its records are published, and then sends', async () => {
    const manager = await newManager();
    const domain = newDomain();
    const { zoneFile } = await manager.setDomain(domain);
    const early = await manager.send();

    await publish(zoneFile);
    const identity = await manager.view();
    const sent = await manager.send();

    expect(early).toMatchObject({ status: 403, json: { code: 'no_active_identity' } });
    expect(identity).toMatchObject({
      status: 'active',
      sendingAs: { domain, fromEmail: `hello@${domain}` },
      dkim: { status: 'SUCCESS' },
      mailFrom: { status: 'SUCCESS' },
    });
    expect(identity.records.every(({ state }) => state === 'found')).toBe(true);
    expect(sent.status).toBe(200);
  });

  it('is active with its TXT record and DKIM, and shows that MAIL FROM is still missing', async () => {
    const manager = await newManager();
    const { zoneFile } = await manager.setDomain(newDomain());
    const required = zoneFile.split('\n').filter((line) => / CNAME |^_email-service/.test(line));

    await publish(required.join('\n'));
    const identity = await manager.view();

    expect(identity).toMatchObject({
      status: 'active',
      dkim: { status: 'SUCCESS' },
      mailFrom: { status: 'PENDING' },
    });
  });

  it('notifies its webhooks once when it becomes active', async () => {
    const messages: string[] = [];
    const server = createServer(async (incoming, response) => {
      let body = '';
      for await (const chunk of incoming) body += chunk;
      messages.push(body);
      response.writeHead(204).end();
    });
    const receiver = await listen(server, 0);
    onTestFinished(receiver.stop);
    const manager = await newManager();
    const hook = { url: receiver.url, eventTypes: ['identity.active'] };
    expect((await request('POST', '/api/v1/webhooks', manager.key, hook)).status).toBe(201);
    const domain = newDomain();

    await publish((await manager.setDomain(domain)).zoneFile);
    await Promise.all([manager.view(), manager.view()]);
    await manager.view();

    await vi.waitFor(() => expect(messages).toHaveLength(1), patience);
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({
      type: 'identity.active',
      data: { domain, fromEmail: `hello@${domain}` },
    });
  });
});

describe('a wrongly published record', () => {
  it('is found where the zone name was appended twice', async () => {
    const manager = await newManager();
    const domain = newDomain();
    const { records } = await manager.setDomain(domain);
    const zone = domain.slice('mail.'.length);
    const [, first] = records;

    await publish(`${first?.name}.${zone}. IN CNAME ${first?.value}.`);
    const [, seen] = (await manager.view()).records;

    expect(seen).toMatchObject({ state: 'wrong', seen: [first?.value] });
    expect(seen?.hint).toContain('appends the zone itself');
    expect(seen?.hint).toContain(first?.relativeName);
  });

  it('is recognized as proxied, quoted, or outdated', async () => {
    const manager = await newManager();
    const domain = newDomain();
    const { records } = await manager.setDomain(domain);
    const [, one, other] = records;

    await publish(
      [
        `${one?.name}. IN A 104.16.0.1`,
        `${other?.name}. IN CNAME old.dkim.amazonses.com.`,
        `bounces.${domain}. IN TXT "\\"v=spf1 include:amazonses.com ~all\\""`,
      ].join('\n'),
    );
    const shown = (await manager.view()).records;

    expect(shown[1]).toMatchObject({ state: 'wrong', seen: ['104.16.0.1'] });
    expect(shown[1]?.hint).toContain('proxies');
    expect(shown[2]?.hint).toContain('old SES value');
    expect(shown.find(({ purpose }) => purpose === 'mail_from_spf')?.hint).toContain('quotes');
  });

  it('is reported when there is a CNAME at the MAIL FROM label', async () => {
    const manager = await newManager();
    const domain = newDomain();
    await publish(`news.${domain}. IN CNAME somewhere.example.net.`);

    const answer = await manager.set({
      domain,
      fromEmail: `hello@${domain}`,
      mailFromLabel: 'news',
    });

    expect(answer).toMatchObject({
      status: 400,
      json: { code: 'validation_failed', errors: [{ path: 'mailFromLabel' }] },
    });
  });
});

describe('a domain', () => {
  it('owned by one organization stays its own when another sets it', async () => {
    const owner = await newSender();
    const stranger = await newManager();

    const claimed = await stranger.setDomain(owner.domain);
    const seen = await stranger.view();

    expect([claimed.status, seen.status]).toEqual(['pending', 'pending']);
    expect(seen.dkim.status).toBe('PENDING');
    expect((await owner.view()).status).toBe('active');
    expect((await owner.send()).status).toBe(200);
    expect((await stranger.send()).status).toBe(403);
    expect((await stranger.remove()).status).toBe(204);
    expect((await owner.view()).status).toBe('active');
  });

  it("moves to another organization when DNS has that one's record instead", async () => {
    const owner = await newSender();
    const heir = await newManager();
    const { zoneFile } = await heir.setDomain(owner.domain);

    await publish(zoneFile);
    const moved = await heir.view();

    expect(moved).toMatchObject({ status: 'active', sendingAs: { domain: owner.domain } });
    expect((await heir.send()).status).toBe(200);
    expect(await owner.send()).toMatchObject({ status: 403, json: { code: 'no_active_identity' } });
    expect((await owner.view()).status).toBe('failed');
  });

  it('is free again once its organization has removed it, and must be proven again', async () => {
    const owner = await newSender();
    const other = await newManager();

    const removed = await owner.remove();
    const refused = await owner.send();
    const { zoneFile } = await other.setDomain(owner.domain);
    const ownership = zoneFile.split('\n').filter((line) => line.startsWith('_email-service'));
    // DNS still has the previous organization's other records, which don't help anyone.
    await publish(
      zoneFile
        .split('\n')
        .filter((line) => line.includes(' CNAME '))
        .join('\n'),
    );
    const unproven = await other.view();
    await publish(ownership.join('\n'));
    const proven = await other.view();

    expect(removed.status).toBe(204);
    expect(refused).toMatchObject({ status: 403, json: { code: 'no_active_identity' } });
    expect(unproven).toMatchObject({ status: 'pending', dkim: { status: 'SUCCESS' } });
    expect(proven.status).toBe('active');
  });

  it('keeps sending until its replacement is active', async () => {
    const manager = await newSender();
    const next = newDomain();

    const waiting = await manager.setDomain(next);
    const between = await manager.send();
    await publish(waiting.zoneFile);
    const active = await manager.view();

    expect(waiting).toMatchObject({ status: 'pending', sendingAs: { domain: manager.domain } });
    expect(between.status).toBe(200);
    expect(active).toMatchObject({ status: 'active', sendingAs: { domain: next } });
  });

  it('can be deleted while it is a pending replacement, and the default keeps sending', async () => {
    const manager = await newSender();
    const next = newDomain();
    await manager.setDomain(next);

    const deleted = await request('DELETE', `/api/v1/domains/${next}`, manager.key);

    expect(deleted.status).toBe(204);
    expect((await manager.send()).status).toBe(200);
    expect(await manager.view()).toMatchObject({ domain: manager.domain, status: 'active' });
  });

  it('that SES refuses is refused with AWS’s own reason', async () => {
    const manager = await newManager();

    const answer = await manager.set({ domain: 'mail.invalid', fromEmail: 'x@mail.invalid' });

    expect(answer).toMatchObject({ status: 422, json: { code: 'identity_rejected' } });
    expect(JSON.stringify(answer.json)).toContain('BadRequestException: Invalid domain name');
  });
});

describe('an SES status', () => {
  it("for a failure is shown in SES's own words, and stops sends", async () => {
    const manager = await newSender();

    await turn({
      identities: { [manager.domain]: { dkim: 'FAILED', errorType: 'HOST_NOT_FOUND' } },
    });
    const failed = await manager.view();
    const refused = await manager.send();
    await turn({ identities: { [manager.domain]: { dkim: null, errorType: null } } });
    const mended = await manager.view();

    expect(failed.status).toBe('failed');
    expect(failed.reason).toContain('HOST_NOT_FOUND');
    expect(refused).toMatchObject({ status: 403, json: { code: 'no_active_identity' } });
    expect(mended.status).toBe('active');
  });

  it('for an account in the sandbox is shown with the way out and a draft request', async () => {
    const manager = await newManager();
    const domain = newDomain();
    onTestFinished(async () => {
      await turn({ account: { ProductionAccessEnabled: true } });
    });

    await turn({ account: { ProductionAccessEnabled: false } });
    const { account } = await manager.setDomain(domain);

    expect(account.problems).toMatchObject([{ code: 'sandbox' }]);
    expect(account.problems[0]?.wayOut).toContain('put-account-details');
    expect(account.productionAccessRequest).toContain(domain);
  });
});

describe("the twin's first organization", () => {
  it('has a verified identity', async () => {
    const { manageKey, fromEmail } = stack;

    const answer = await request('GET', path, manageKey);

    expect(answer).toMatchObject({
      status: 200,
      json: { fromEmail, status: 'active', dkim: { status: 'SUCCESS' } },
    });
  });
});

describe('several domains', () => {
  const recordsShape = z.object({ zoneFile: z.string(), status: z.string() });
  const domainsPath = '/api/v1/domains';

  /** An organization with an active default domain, and a second active domain. */
  async function newOwner() {
    const manager = await newSender();
    const second = newDomain();
    const added = await request('POST', domainsPath, manager.key, { domain: second });
    await publish(recordsShape.parse(added.json).zoneFile);
    const one = `${domainsPath}/${second}`;
    const ask = (method: string, url: string, body?: unknown) =>
      request(method, url, manager.key, body);
    const send = (from?: string) =>
      ask('POST', '/api/v1/emails/send', {
        to: 'ann@example.com',
        subject: 'Hi',
        content: 'Hi',
        ...(from !== undefined && { from }),
      });
    return { ...manager, second, one, added, ask, send };
  }

  it('each send once active: from any address on it, or from the default', async () => {
    const { domain, second, one, added, ask, send } = await newOwner();
    const early = await send(`billing@${second}`);

    const read = await ask('GET', one);

    expect(added.status).toBe(201);
    expect(added.json).toMatchObject({ isDefault: false, status: 'pending' });
    expect(early).toMatchObject({ status: 403, json: { code: 'no_active_identity' } });
    expect(read.json).toMatchObject({ status: 'active', sendingAs: { domain } });
    expect(await send(`billing@${second}`)).toMatchObject({ status: 200 });
    expect(await send()).toMatchObject({ status: 200 });
  });

  it('can swap default, and the identity always shows the default', async () => {
    const { domain, second, one, ask, view } = await newOwner();
    const tooEarly = await ask('PATCH', one, { default: true });
    await ask('POST', `${one}/verify`);

    const made = await ask('PATCH', one, { default: true, fromEmail: `post@${second}` });

    expect(tooEarly).toMatchObject({ status: 409, json: { code: 'domain_not_active' } });
    expect(made).toMatchObject({ status: 200, json: { isDefault: true } });
    expect(await view()).toMatchObject({
      domain: second,
      fromEmail: `post@${second}`,
      status: 'active',
    });
    expect(await view()).not.toHaveProperty('isDefault');
    expect((await ask('GET', domainsPath)).json).toMatchObject({
      data: [
        { domain: second, isDefault: true, canSend: true },
        { domain, isDefault: false, canSend: true },
      ],
    });
  });

  it('are deleted one by one, and sends from a deleted one are refused', async () => {
    const { domain, second, one, ask, send } = await newOwner();
    await ask('GET', one);

    expect((await ask('DELETE', one)).status).toBe(204);

    expect(await send(`a@${second}`)).toMatchObject({ status: 403 });
    expect(await send(`a@${domain}`)).toMatchObject({ status: 200 });
    expect((await ask('GET', one)).json).toMatchObject({ code: 'domain_not_found' });
    expect((await turn({})).json).not.toMatchObject({ identities: { [second]: {} } });
  });

  it.each([
    ['POST', '', { domain: 'not a domain' }, 'domain'],
    ['POST', '', { domain: 'a.example', fromEmail: 'hello@b.example' }, 'fromEmail'],
    ['POST', '', { domain: 'a.example', mailFromLabel: 'a.b' }, 'mailFromLabel'],
    ['PATCH', 'one', { default: false }, 'default'],
    ['PATCH', 'one', { fromEmail: 'hello@b.example' }, 'fromEmail'],
    ['PATCH', 'one', { mailFromLabel: '*' }, 'mailFromLabel'],
    ['PATCH', 'one', {}, 'body'],
  ])('return what is wrong with %s %s %j', async (method, at, body, path) => {
    const { one, ask } = await newOwner();

    const { status, json } = await ask(method, at === 'one' ? one : domainsPath, body);

    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });
});
