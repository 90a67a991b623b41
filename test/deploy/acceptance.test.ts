import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { listen, readBody } from '../../infra/local/server.ts';
import { settings as everySetting } from '../infra/synthesised-stack.ts';
import { installPackage } from '../support/installed-package.ts';
import { patience } from '../support/patience.ts';
import { createServiceCaller, retryUntilDone, type SendResult } from '../support/service-caller.ts';
import { callService, createTenant } from '../support/tenant.ts';
import { outcomeOf, requestsOfOwner, sendAsk } from '../support/tenant-requests.ts';
import { unvalidated } from '../support/unvalidated-synthesis.ts';
import { type Engine, forgetMetadata, startEngine } from './engine.ts';
import { missingTool, pythonProgram } from './python.ts';
import { type DeployedStack, openStack, resourcesOf } from './stack.ts';

// The artifact that `cdk deploy` puts into an AWS account, put into one on this machine. What is tried where:
// `README.md` beside this file. Tests come in order: each goes on where the one before it ended.

if (missingTool !== undefined) console.error(`test:deploy is left out: there is no ${missingTool}`);

const stackName = 'EmailService';
const folder = mkdtempSync(join(tmpdir(), 'apps-'));
/** What `npm run synth` has left, if the environment says so. */
const synthesised = process.env['SYNTHESISED_APP'];
const app = synthesised ?? join(folder, 'app');
const neighbour = {
  name: 'Staging',
  /** Outside this repository, with the package's tarball. */
  sources: join(folder, 'outside'),
  app: join(folder, 'neighbour'),
  domain: 'club.example',
  adopted: 'news.club.example',
};
const changed = { app: join(folder, 'changed'), links: 'https://front.example.com' };
/** What cfn-lint may find, and why. */
const ignoredChecks = {
  W3005: 'CDK lets each function wait for the policies of its role, and so for the role once more',
};
const domain = 'mail.shop.example';
const createdShape = z.object({
  organization: z.object({ id: organizationIdSchema }),
  apiKey: z.object({ key: z.string() }),
});

const run = promisify(execFile);

const newAddress = () => `${randomUUID()}@example.com`;

describe.skipIf(missingTool !== undefined)('the stack, deployed', () => {
  let engine: Engine;
  let stack: DeployedStack;
  let caller: ReturnType<typeof createServiceCaller>;
  let beganAt = 0;
  let findings: Promise<string>;
  let neighbourSynthesised: Promise<void>;
  let changedSynthesised: Promise<void>;
  let receiver: Receiver;
  let kept: SendResult;
  let left: Readonly<Record<string, object>>;
  let zone: Zone;
  const keptEmail = { to: newAddress() };
  const keptHeaders = { 'idempotency-key': randomUUID() };
  const url = () => stack.url();
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await callService({ url }, method, path, { key: caller.apiKey, body });
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.status} ${answer.whole}`);
    return answer.json;
  };
  /**
   * As a caller should: again while it isn't answered. Without a function to run it, the API answers 503 on AWS, 429
   * here.
   */
  const send = (
    fields: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = { 'idempotency-key': randomUUID() },
    by = caller,
  ): Promise<SendResult> =>
    retryUntilDone(async () => {
      const answer = await by.send(fields, headers);
      return answer.status === 200 ? answer : { ...answer, retryAfter: answer.retryAfter ?? 1 };
    });
  const inboxOf = async (address: string) =>
    (await engine.inbox()).filter(({ destination }) => destination.to.includes(address));
  const eventsOf = async (sendId: string) =>
    timelineShape
      .parse(await call('GET', `/api/v1/sends/${sendId}`))
      .events.map(({ type }) => type);

  const deploy = (from: string) =>
    engine.cdk('deploy', '--app', from, '--require-approval', 'never');

  async function synthesiseNeighbour(): Promise<void> {
    zone = await createZone(engine, neighbour.domain);
    await synthesiseOutside(neighbour, zone);
    forgetMetadata(neighbour.app);
  }

  async function synthesiseChanged(): Promise<void> {
    await engine.synth(changed.app, { ...everySetting, ...(await settingsOf(engine)) });
    forgetMetadata(changed.app);
  }

  beforeAll(async () => {
    engine = await startEngine();
    if (synthesised === undefined) await engine.synth(app);
    forgetMetadata(app);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await engine.errors().catch(String));
  });
  afterAll(async () => {
    await Promise.allSettled([findings, changedSynthesised]);
    await engine.stop();
    rmSync(folder, { recursive: true });
  });

  it('is put up by `cdk bootstrap` and `cdk deploy`, whole', async () => {
    beganAt = Date.now();
    await engine.cdk('bootstrap', '--app', app);
    await deploy(app);

    const resources = await resourcesOf(stackName);

    expect(resources.filter(({ status }) => status !== 'CREATE_COMPLETE')).toEqual([]);
    console.log(`${resources.length} resources`);
    stack = await openStack(engine, stackName);
    // Beside the tests that follow, which wait more than they compute.
    findings = lint(app);
    neighbourSynthesised = findings.then(synthesiseNeighbour);
    changedSynthesised = neighbourSynthesised.then(synthesiseChanged);
    changedSynthesised.catch(() => undefined);
  });

  it('sends the first email of an organization that the command line has set up', async () => {
    const words = ['organizations', 'create', '--name', 'Shop', '--attachments', 'on', '--json'];
    const { organization, apiKey } = createdShape.parse(JSON.parse(await stack.manage(words)));
    const key = apiKey.key;
    caller = createServiceCaller({ organizationId: organization.id, apiKey: key }, url);
    await stack.manage(
      ['identity', 'set', '--domain', domain, '--from-email', `hello@${domain}`],
      key,
    );
    engine.ses.dns.publish(await stack.manage(['identity', 'zone-file'], key));
    await stack.manage(['identity', 'status', '--wait'], key);

    const to = newAddress();
    const { messageId } = await send({ to });

    expect(await inboxOf(to)).toMatchObject([{ messageId, from: expect.stringContaining(domain) }]);
    console.log(`${((Date.now() - beganAt) / 60_000).toFixed(1)} minutes to the first email`);
  });

  it('answers a second request with the same idempotency key with the first answer', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const to = newAddress();
    const first = await send({ to }, headers);

    const second = await caller.send({ to }, headers);

    expect(second.result).toEqual({ ...first, reused: true });
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('sends one email for thirty requests at once with one key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const to = newAddress();

    // A new account runs ten functions at a time.
    const results = await Promise.all(Array.from({ length: 30 }, () => send({ to }, headers)));

    expect(new Set(results.map(({ sendId }) => sendId)).size).toBe(1);
    // None, when the first answer was lost.
    expect(results.filter(({ reused }) => !reused).length).toBeLessThanOrEqual(1);
    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('records what SES tells through the topic', async () => {
    const { sendId } = await send({ to: newAddress() });

    await vi.waitFor(async () => expect(await eventsOf(sendId)).toContain('delivered'), patience);
  });

  it('tells a webhook endpoint', async () => {
    receiver = await receiveAfterFailure();
    const webhook = { url: `${receiver.url}/hooks`, eventTypes: ['email.delivered'] };
    await call('POST', '/api/v1/webhooks', webhook);

    const { sendId } = await send({ to: newAddress() });

    await vi.waitFor(() => expect(receiver.bodies).toHaveLength(1), patience);
    expect(receiver.bodies[0]).toContain(sendId);
  });

  it('takes an upload and attaches it', async () => {
    const content = 'a file';
    const file = { filename: 'a.txt', size: content.length };
    const ticket = ticketShape.parse(await call('POST', '/api/v1/attachments', file));
    const stored = await fetch(ticket.url, { ...ticket, body: content });
    expect(stored.status).toBe(200);
    const to = newAddress();

    const attachments = [{ filename: 'a.txt', uploadId: ticket.uploadId }];
    await send({ to, attachments });

    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('records opens and clicks', async () => {
    const to = newAddress();
    const htmlContent = '<p><a href="https://example.com/read">Read</a></p>';
    await call('PUT', '/api/v1/policies/news', { kind: 'transactional' });
    const { sendId } = await send({ to, htmlContent });
    const [mail] = await inboxOf(to);
    const link = (path: string) =>
      new RegExp(`${url()}${path}[\\w.-]+`).exec(mail?.body.html ?? '');

    const click = await fetch(link('/t/c/')?.[0] ?? '', { redirect: 'manual' });
    const open = await fetch(link('/t/o/')?.[0] ?? '');

    expect(click.headers.get('location')).toBe('https://example.com/read');
    expect(open.headers.get('content-type')).toBe('image/gif');
    await vi.waitFor(
      async () =>
        expect(await eventsOf(sendId)).toEqual(expect.arrayContaining(['opened', 'clicked'])),
      patience,
    );
  });

  it('signs a person in to the console', async () => {
    const page = await fetch(`${url()}/console`);
    const signedIn = await fetch(`${url()}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url() },
      body: JSON.stringify({ key: caller.apiKey }),
    });
    const [cookie = ''] = signedIn.headers.getSetCookie();
    const session = await fetch(`${url()}/console/session`, {
      headers: { cookie: cookie.split(';')[0] ?? '' },
    });

    expect([page.status, signedIn.status, session.status]).toEqual([200, 204, 200]);
    expect(await page.text()).toContain('<script');
  });

  it('answers its owner on every route, within the permissions of each function', async () => {
    const tenant = await createTenant(stack, 'alpha');
    const requests = requestsOfOwner(tenant);
    const refused: string[] = [];
    for (const { ask, ...route } of requests) {
      const headers = { 'x-operator-secret': stack.operatorSecret };
      const answer = await sendAsk(stack, route, ask, { key: tenant.key, headers });
      if (answer.status >= 400) refused.push(`${route.name}: ${outcomeOf(answer)}`);
    }

    expect(refused).toEqual(unmatched);
    console.log(`${requests.length} requests on every route`);
  });

  it('is beside another stack that knows nothing of it', async () => {
    await neighbourSynthesised;
    await verifyInSes(engine, neighbour.adopted);
    await withRecordsOf(zone, engine, () => deploy(neighbour.app));
    const other = await openStack(engine, neighbour.name);

    const answer = await callService(other, 'GET', '/api/v1/organization', { key: caller.apiKey });

    expect(answer.status).toBe(401);
    expect(await other.manage(['organizations', 'list'])).not.toContain('Shop');
  });

  it('has an organization of its app, which sends from its domain in Route 53', async () => {
    const other = await openStack(engine, neighbour.name);
    const listed = JSON.parse(await other.manage(['organizations', 'list', '--json']));
    const [organizationId] = organizationsShape.parse(listed).data.map(({ id }) => id);
    if (organizationId === undefined) throw new Error('no organization');
    const words = ['organizations', 'new-key', organizationId, '--json'];
    const { key } = keyShape.parse(JSON.parse(await other.manage(words)));
    const to = newAddress();

    const declared = createServiceCaller({ organizationId, apiKey: key }, other.url);
    await send({ to }, undefined, declared);

    const from = expect.stringContaining(`hello@${neighbour.domain}`);
    expect(await inboxOf(to)).toMatchObject([{ from }]);

    const fromEmail = `hello@${neighbour.adopted}`;
    const toOther = newAddress();
    await send({ to: toOther, from: fromEmail }, undefined, declared);
    expect(await inboxOf(toOther)).toMatchObject([{ from: expect.stringContaining(fromEmail) }]);
    const adopted = await identityOf(engine, neighbour.adopted);
    expect(adopted).toMatchObject({ FeedbackForwardingStatus: false });
    expect(adopted.Tags).toHaveLength(1);
  });

  it('lets a function of its app send by its role, and no other', async () => {
    const to = newAddress();

    const [sent, refused] = [
      await invoke(engine, await functionOf('Sender'), { to }),
      await invoke(engine, await functionOf('Stranger'), { to: newAddress() }),
    ];

    expect(sent).toMatchObject({ status: 200, body: expect.stringContaining('"status":"sent"') });
    expect(refused).toMatchObject({ status: 403, body: expect.not.stringContaining('sendId') });
    expect(await inboxOf(to)).toHaveLength(1);
  });

  it('records from the retry queue what came while the intake was stopped', async () => {
    const intake = (await resourcesOf(stackName)).find(
      ({ type, logicalId }) =>
        type === 'AWS::Lambda::Function' && logicalId.includes('recordproviderevent'),
    );
    const path = `/2017-10-31/functions/${intake?.id}/concurrency`;
    const body = JSON.stringify({ ReservedConcurrentExecutions: 0 });
    await engine.request('lambda', { method: 'PUT', path, body });
    const { sendId } = await send({ to: newAddress() });
    await sleep(1_000);
    expect(await eventsOf(sendId)).not.toContain('delivered');

    await engine.request('lambda', { method: 'DELETE', path });

    await vi.waitFor(async () => expect(await eventsOf(sendId)).toContain('delivered'), patience);
  });

  it('keeps its data and its promises when every setting is changed', async () => {
    kept = await send(keptEmail, keptHeaders);
    await changedSynthesised;

    await deploy(changed.app);

    const complete = ['CREATE_COMPLETE', 'UPDATE_COMPLETE'];
    const resources = await resourcesOf(stackName);
    expect(resources.filter(({ status }) => !complete.includes(status))).toEqual([]);
    const again = await send(keptEmail, keptHeaders);
    expect(again).toEqual({ ...kept, reused: true });
    const to = newAddress();
    const htmlContent = '<p><a href="https://example.com/read">Read</a></p>';
    await send({ to, htmlContent });
    expect((await inboxOf(to))[0]?.body.html).toContain(`${changed.links}/t/c/`);
  });

  it('tells the webhook endpoint again, on schedule, what it failed on', async () => {
    const [failed] = receiver.bodies;
    const same = () => receiver.bodies.filter((body) => body === failed);
    await vi.waitFor(() => expect(same()).toHaveLength(2), patience);
    const { data } = webhooksShape.parse(await call('GET', '/api/v1/webhooks'));
    await Promise.all(data.map(({ id }) => call('DELETE', `/api/v1/webhooks/${id}`)));
    await receiver.stop();
  });

  it('is found sound by the doctor', async () => {
    expect(await stack.manage(['doctor'], caller.apiKey)).toContain('alarms: none');
  });

  it('leaves its table when it is destroyed, and the other stack alone', async () => {
    const { table } = stack;
    const other = await openStack(engine, neighbour.name);
    left = await importable(stackName);

    await engine.cdk('destroy', '--app', changed.app, '--force');

    const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
    expect(Table?.TableStatus).toBe('ACTIVE');
    const status = async (of: DeployedStack) => (await fetch(`${of.url()}/openapi.json`)).status;
    expect(await status(stack)).not.toBe(200);
    expect(await status(other)).toBe(200);
  });

  it('gives back the domain that SES had before the other stack', async () => {
    await engine.cdk('destroy', '--app', neighbour.app, '--force');

    expect(await identityOf(engine, neighbour.adopted)).toMatchObject({
      FeedbackForwardingStatus: true,
      Tags: [],
    });
    await expect(identityOf(engine, neighbour.domain)).rejects.toThrow('does not exist');
  });

  it('is deployed again around what it left, and has forgotten nothing', async () => {
    const mapping = ['--resource-mapping-inline', JSON.stringify(left)];
    await engine.cdk('import', '--app', changed.app, ...mapping);
    await deploy(changed.app);
    stack = await openStack(engine, stackName);

    const again = await send(keptEmail, keptHeaders);

    expect(again).toEqual({ ...kept, reused: true });
    const { sendId } = await send({ to: newAddress() });
    await vi.waitFor(async () => expect(await eventsOf(sendId)).toContain('delivered'), patience);
  });

  it('has templates in which cfn-lint finds nothing', async () => {
    expect(await findings).toBe('');
  });
});

/** @returns what cfn-lint says. */
async function lint(from: string): Promise<string> {
  const templates = globSync(`${from}/*.template.json`);
  if (templates.length < 5) throw new Error(`${from} has ${templates.length} templates`);
  const ignored = ['--ignore-checks', ...Object.keys(ignoredChecks)];
  const child = spawn(pythonProgram('cfn-lint'), [...ignored, '--', ...templates]);
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
}

/** Fails on the first request. */
async function receiveAfterFailure() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(String(await readBody(request)));
    response.writeHead(bodies.length === 1 ? 500 : 204).end();
  });
  return { ...(await listen(server, 0)), bodies };
}
type Receiver = Awaited<ReturnType<typeof receiveAfterFailure>>;

/** Settings that name what the account must have. */
async function settingsOf(engine: Engine) {
  return {
    publicBaseUrl: changed.links,
    // The engine has no CodeDeploy.
    gradualDeployment: false,
    domain: await createZone(engine, 'mail.example.com'),
    linkDomains: [await createZone(engine, 'links.club.example')],
  };
}

async function createZone(engine: Engine, name: string): Promise<Zone> {
  const body = `<CreateHostedZoneRequest><Name>${name}</Name><CallerReference>${name}</CallerReference></CreateHostedZoneRequest>`;
  const path = '/2013-04-01/hostedzone';
  const answer = await engine.request('route53', { method: 'POST', path, body });
  return { name, hostedZoneId: /hostedzone\/(\w+)/.exec(answer)?.[1] ?? '' };
}
type Zone = { readonly name: string; readonly hostedZoneId: string };

/** As a team does that has installed the package: without a checkout. */
async function synthesiseOutside({ sources, app, ...own }: typeof neighbour, zone: Zone) {
  mkdirSync(sources);
  const code = join(sources, 'sender');
  await Promise.all([
    installPackage(sources),
    build({
      entryPoints: ['test/deploy/sending-function.ts'],
      outfile: join(code, 'index.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
    }),
  ]);
  const program = readFileSync('test/deploy/declaring-app.ts', 'utf8');
  const ours = "'../../infra/transactional-email.ts'";
  writeFileSync(join(sources, 'app.ts'), program.replace(ours, "'transactional-email-service'"));
  const context = { ...own, hostedZoneId: zone.hostedZoneId, code };
  await run(process.execPath, ['app.ts'], {
    cwd: sources,
    env: {
      ...unvalidated,
      PATH: process.env['PATH'],
      CDK_OUTDIR: app,
      CDK_CONTEXT_JSON: JSON.stringify(context),
    },
  });
}

const functionOf = async (id: string): Promise<string> => {
  const resources = await resourcesOf(neighbour.name);
  const found = resources.find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && logicalId.startsWith(id),
  );
  return found?.id ?? '';
};

async function invoke(engine: Engine, name: string, event: object): Promise<unknown> {
  const path = `/2015-03-31/functions/${name}/invocations`;
  const body = JSON.stringify(event);
  return JSON.parse(await engine.request('lambda', { method: 'POST', path, body }));
}

/** Somebody else's, before there was the service. */
async function verifyInSes(engine: Engine, domain: string): Promise<void> {
  const body = JSON.stringify({ EmailIdentity: domain });
  await engine.request('ses', { method: 'POST', path: '/v2/email/identities', body });
  const { DkimAttributes } = await identityOf(engine, domain);
  for (const token of DkimAttributes.Tokens) {
    engine.ses.dns.publish(`${token}._domainkey.${domain} CNAME ${token}.dkim.amazonses.com`);
  }
}

const identityOf = async (engine: Engine, domain: string) =>
  identityShape.parse(
    JSON.parse(
      await engine.request('ses', { method: 'GET', path: `/v2/email/identities/${domain}` }),
    ),
  );

/** SES asks the twin's DNS, so until the work is done that gets what the zone has. */
async function withRecordsOf(
  { hostedZoneId }: Zone,
  engine: Engine,
  work: () => Promise<unknown>,
): Promise<void> {
  const path = `/2013-04-01/hostedzone/${hostedZoneId}/rrset`;
  let isDone = false;
  const done = work().finally(() => {
    isDone = true;
  });
  const copied = (async () => {
    for (; !isDone; await sleep(1_000)) {
      const answer = await engine.request('route53', { method: 'GET', path });
      const sets = answer
        .replaceAll('&quot;', '"')
        .matchAll(/<Name>([^<]+)<\/Name><Type>(CNAME|MX|TXT)<.+?<Value>([^<]+)</gs);
      for (const [, name, type, value] of sets) {
        engine.ses.dns.publish(`${name} ${type} ${value}`);
      }
    }
  })();
  await Promise.all([done, copied]);
}

/** What `restore.md` has imported, with the ids that the stack's resources have. */
async function importable(from: string): Promise<Readonly<Record<string, object>>> {
  const guide = readFileSync('functions/show-docs/guides/restore.md', 'utf8');
  const mapping = mappingShape.parse(
    JSON.parse(/--resource-mapping-inline '(.+)'/.exec(guide)?.[1] ?? ''),
  );
  const resources = await resourcesOf(from);
  const idOf = (logicalId: string) => resources.find((one) => one.logicalId === logicalId)?.id;
  return Object.fromEntries(
    Object.entries(mapping).map(([logicalId, identifier]) => [
      logicalId,
      Object.fromEntries(Object.keys(identifier).map((name) => [name, idOf(logicalId)])),
    ]),
  );
}

/**
 * The path ends with a slash. To the engine `{rest+}` is one segment at least; what AWS says, only an account tells.
 */
const unmatched = ['POST /postmark/email/withTemplate/{rest+}: 404'];

const organizationsShape = z.object({ data: z.array(z.object({ id: organizationIdSchema })) });
const identityShape = z.object({
  FeedbackForwardingStatus: z.boolean(),
  DkimAttributes: z.object({ Tokens: z.array(z.string()) }),
  Tags: z.array(z.unknown()),
});
const keyShape = z.object({ key: z.string() });
const webhooksShape = z.object({ data: z.array(z.object({ id: z.string() })) });
const mappingShape = z.record(z.string(), z.record(z.string(), z.string()));
const timelineShape = z.object({ events: z.array(z.object({ type: z.string() })) });
const ticketShape = z.object({
  uploadId: z.string(),
  url: z.url(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
});
