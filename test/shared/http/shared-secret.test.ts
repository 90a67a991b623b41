import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { previousAcceptedForMs, secretKeptForMs } from '#shared/config/secret-lifetime';
import { acceptedReadEveryMs, cronGate, operatorGate } from '#shared/http/shared-secret';
import { startSecrets } from '../../../infra/local/secrets.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { startFaultProxy } from '../../support/fault-proxy.ts';
import { type Action, resetBeforeForwarding, runBefore } from '../../support/faults.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const secretId = 'secret-1';
const hour = 3_600_000;

/** Secrets Manager with the secret, and what functions have asked it. */
async function startSecretsManager(first: string) {
  const server = await startSecrets({ [secretId]: first });
  const proxy = await startFaultProxy({ target: server.url });
  onTestFinished(async () => {
    await proxy.stop();
    await server.stop();
  });
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: proxy.url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret-access-key',
  })) {
    vi.stubEnv(name, value);
  }
  const put = async (secret: string) => {
    const answer = await fetch(server.url, {
      method: 'POST',
      headers: {
        authorization: 'AWS4-HMAC-SHA256 Credential=operator',
        'x-amz-target': 'secretsmanager.PutSecretValue',
      },
      body: JSON.stringify({ SecretId: secretId, SecretString: secret }),
    });
    expect(answer.status).toBe(200);
  };
  const reads = () => proxy.requests.map(({ body }) => stageShape.parse(body).VersionStage);
  const fail = (action: Action = resetBeforeForwarding()) =>
    proxy.inject({ operation: 'GetSecretValue', times: Number.POSITIVE_INFINITY, action });
  return { put, reads, fail, recover: proxy.clear };
}
const stageShape = z.object({ VersionStage: z.string().default('AWSCURRENT') });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 24) });
  return () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  };
});

describe.each([
  ['cron', 'invalid_cron_secret', 'X-Cron-Secret', cronGate],
  ['operator', 'invalid_operator_secret', 'X-Operator-Secret', operatorGate],
] as const)('the %s secret', (_name, code, header, openGate) => {
  it('admits who presents it, with one read', async () => {
    const { reads } = await startSecretsManager('s3cret');
    const admit = openGate(secretId);

    for (let times = 0; times < 3; times += 1) await admit('s3cret');

    expect(reads()).toEqual(['AWSCURRENT']);
  });

  it.each([
    ['no header', undefined, 's3cret'],
    ['an empty header', '', 's3cret'],
    ['another secret', 's3creT', 's3cret'],
    ['the beginning of it', 's3cre', 's3cret'],
    ['an empty header where none is configured', '', ''],
    ['no header where none is configured', undefined, ''],
  ])('refuses %s, and names the header', async (_what, presented, configured) => {
    await startSecretsManager(configured);
    const admit = openGate(secretId);

    const error = await serviceErrorOf(() => admit(presented));

    expect(error.code).toBe(code);
    expect(error.message).toContain(header);
    expect(error.message).not.toContain('s3cre');
  });
});

describe('a rotation of a shared secret', () => {
  it('refuses neither the old nor the new one, in functions that began before and after', async () => {
    const { put } = await startSecretsManager('old');
    const warm = cronGate(secretId);
    await warm('old');

    await put('new');

    const cold = cronGate(secretId);
    for (const passed of [0, acceptedReadEveryMs, secretKeptForMs, hour / 2]) {
      vi.advanceTimersByTime(passed);
      for (const secret of ['new', 'old', 'new']) {
        await warm(secret);
        await cold(secret);
      }
    }
  });

  it('lets a list go on for who still presents the old one', async () => {
    const { put } = await startSecretsManager('old');
    const warm = operatorGate(secretId);
    const first = await warm('old');

    await put('new');

    expect(await operatorGate(secretId)('old')).toEqual(first);
  });

  it('ends the old one after an hour', async () => {
    const { put } = await startSecretsManager('old');
    await put('new');
    const admit = cronGate(secretId);
    await admit('old');

    vi.advanceTimersByTime(previousAcceptedForMs);

    expect(previousAcceptedForMs).toBe(hour);
    expect((await serviceErrorOf(() => admit('old'))).code).toBe('invalid_cron_secret');
    await admit('new');
  });

  it('done twice ends the first one as soon as the cached values are gone', async () => {
    const { put } = await startSecretsManager('leaked');
    const warm = cronGate(secretId);
    await warm('leaked');
    await put('between');
    await put('new');

    const refusal = await serviceErrorOf(() => cronGate(secretId)('leaked'));
    vi.advanceTimersByTime(secretKeptForMs);

    expect(refusal.code).toBe('invalid_cron_secret');
    expect((await serviceErrorOf(() => warm('leaked'))).code).toBe('invalid_cron_secret');
    await warm('new');
  });
});

describe('guesses at a shared secret', () => {
  it('make one read in ten seconds, however many they are', async () => {
    const { reads } = await startSecretsManager('s3cret');
    vi.advanceTimersByTime(hour);
    const admit = cronGate(secretId);
    const guess = () => Promise.all(['a', 'b', 'c'].map((one) => serviceErrorOf(() => admit(one))));
    await admit('s3cret');

    await guess();
    vi.advanceTimersByTime(acceptedReadEveryMs - 1);
    await guess();

    expect(acceptedReadEveryMs).toBe(10_000);
    expect(reads()).toEqual(['AWSCURRENT', 'AWSCURRENT']);
    vi.advanceTimersByTime(1);
    await guess();
    expect(reads()).toHaveLength(3);
  });

  it('that are empty make none', async () => {
    const { reads } = await startSecretsManager('s3cret');
    const admit = cronGate(secretId);

    for (const nothing of [undefined, '']) await serviceErrorOf(() => admit(nothing));

    expect(reads()).toEqual(['AWSCURRENT']);
  });

  it('are refused while Secrets Manager is down, with as few tries, and the cached secret goes on', async () => {
    const { put, reads, fail, recover } = await startSecretsManager('old');
    const output = captureOutput();
    const admit = cronGate(secretId);
    await admit('old');
    await put('new');
    fail();

    for (let times = 0; times < 3; times += 1) {
      expect((await serviceErrorOf(() => admit('new'))).code).toBe('invalid_cron_secret');
      await admit('old');
    }

    // One, made twice.
    expect(reads()).toHaveLength(3);
    expect(output.text()).toContain(secretId);
    recover();
    vi.advanceTimersByTime(acceptedReadEveryMs);
    await admit('new');
  });

  it('keep nobody waiting who presents the cached secret, when Secrets Manager hangs', async () => {
    const { fail } = await startSecretsManager('s3cret');
    const hanging = Promise.withResolvers<void>();
    const admit = cronGate(secretId);
    await admit('s3cret');
    fail(runBefore(() => hanging.promise));
    const guess = serviceErrorOf(() => admit('guess'));
    const refused = vi.fn();
    void guess.then(refused);

    await admit('s3cret');

    expect(refused).not.toHaveBeenCalled();
    hanging.resolve();
    await guess;
  });
});
