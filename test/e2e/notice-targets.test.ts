import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { newNotice } from '#shared/notices/notice';
import { storeNotice } from '#shared/notices/notice-store';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { listen } from '../../infra/local/server.ts';
import { createApiCaller } from '../support/api-caller.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin({ hasStream: true });
const { baseUrl, manageKey, tableName } = stack;
const call = createApiCaller(baseUrl, manageKey);
const organizationId = organizationIdSchema.parse(stack.organizationId);
const path = '/api/v1/notice-targets';

const messageShape = z.object({ text: z.string() });

/** Answers as Slack does, or with `status`. */
async function startReceiver() {
  const got: string[] = [];
  const receiver = { status: 200, got };
  const server = createServer(async (request, response) => {
    got.push(messageShape.parse(JSON.parse(await text(request))).text);
    response.writeHead(receiver.status).end('no_service');
  });
  const { url } = await listen(server, 0);
  return Object.assign(receiver, {
    url: `${url.replace('127.0.0.1', 'localhost')}/services/T0/secret1234`,
  });
}

const targetsShape = z.object({
  data: z.array(z.looseObject({ key: z.string(), endsWith: z.string() })),
});

const list = async () => targetsShape.parse((await call('GET', path)).json).data;

describe('a target for notices', () => {
  it('gets notices and tests, and is never shown whole', async () => {
    const receiver = await startReceiver();
    const body = { type: 'slack', url: receiver.url };

    const put = await call('PUT', `${path}/team`, { body });
    expect(put.status).toBe(200);
    expect(put.json).toMatchObject({ key: 'team', type: 'slack', endsWith: '1234' });

    const test = await call('POST', `${path}/team/test`);
    expect(test.json).toMatchObject({ lastSentAt: expect.any(Number) });
    expect(receiver.got).toEqual([expect.stringContaining('A test of your notices')]);

    const content = { cause: 'day_quota', about: 'x', subject: '80% of a day', text: 'x' } as const;
    await storeNotice(openTable(tableName), newNotice(organizationId, content, Date.now()));
    await vi.waitUntil(() => receiver.got.some((one) => one.includes('80% of a day')), patience);
    // The change itself is a notice.
    await vi.waitUntil(() => receiver.got.some((one) => one.includes('A target')), patience);

    receiver.status = 404;
    expect((await call('POST', `${path}/team/test`)).json).toMatchObject({
      lastFailure: { reason: 'status_404' },
    });
    const audit = await call('GET', '/api/v1/audit');
    const everything = JSON.stringify([put.json, await list(), audit.json]);
    expect(everything).toContain('notice_target.put');
    expect(everything).not.toContain('secret1234');
    expect(everything).not.toContain('no_service');

    expect((await call('DELETE', `${path}/team`)).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await call('DELETE', `${path}/team`)).status).toBe(404);
    expect((await call('POST', `${path}/team/test`)).status).toBe(404);
  });

  it('isn’t what every object has', async () => {
    expect((await call('DELETE', `${path}/constructor`)).status).toBe(404);
    expect((await call('POST', `${path}/constructor/test`)).status).toBe(404);
  });

  it.each([
    [{ type: 'slack' }, 'url'],
    [{ type: 'slack', url: 'https://169.254.169.254/latest/meta-data' }, 'url'],
    [{ type: 'slack', url: 'https://10.0.0.1/services' }, 'url'],
    [{ type: 'slack', url: 'https://[::1]/services' }, 'url'],
    [{ type: 'slack', url: 'http://hooks.slack.com/services/T0' }, 'url'],
    [{ type: 'slack', url: 'https://user:pass@hooks.slack.com/services/T0' }, 'url'],
    [{ type: 'slack', url: 'https://evil.example/services/T0' }, 'url'],
    [{ type: 'slack', url: 'file:///etc/passwd' }, 'url'],
    [{ type: 'slack', url: `https://hooks.slack.com/${'x'.repeat(2_000)}` }, 'url'],
    [{ type: 'teams', url: 'https://northwind.webhook.office.com/webhookb2/1' }, 'url'],
    [{ type: 'pagerduty', routingKey: 'short' }, 'routingKey'],
    [{ type: 'pagerduty', url: 'https://events.pagerduty.com/' }, 'url'],
    [{ type: 'pagerduty' }, 'routingKey'],
    [{ type: 'slack', url: 'https://hooks.slack.com/services/T0', region: 'eu' }, 'region'],
    [{ type: 'discord', url: 'https://discord.com/api/webhooks/1' }, 'type'],
  ])('isn’t %j', async (body, field) => {
    const { status, json } = await call('PUT', `${path}/bad`, { body });

    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ path: field }] });
    expect(await list()).toEqual([]);
  });
});
