import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type AwsAccount, openAwsAccount } from '../../../../infra/manage/aws/aws-account.ts';
import { readStackOutputs } from '../../../../infra/manage/aws/deployment.ts';
import { openSecret } from '../../../../infra/manage/aws/secrets.ts';
import { fakeAccount } from '../../../support/aws-account-builder.ts';
import { manage } from '../../../support/manage-builder.ts';

const folder = mkdtempSync(join(tmpdir(), 'aws-'));
const configFile = join(folder, 'config');
writeFileSync(
  configFile,
  [
    '[profile north]',
    'region = eu-north-1',
    'aws_access_key_id = AKIANORTH',
    'aws_secret_access_key = hush',
    '[profile nowhere]',
  ].join('\n'),
);
// Nothing that the machine happens to have, and no retry: the waits are the SDK's.
const environment = {
  AWS_CONFIG_FILE: configFile,
  AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_MAX_ATTEMPTS: '1',
  AWS_REGION: undefined,
  AWS_PROFILE: undefined,
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
};
for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const credentialsOf = ({ credentials }: AwsAccount) =>
  typeof credentials === 'function' ? credentials() : credentials;

describe('the AWS account', () => {
  it('comes from the profile, with its Region and credentials', async () => {
    const account = await openAwsAccount({ profile: 'north' });

    expect(account.region).toBe('eu-north-1');
    expect(await credentialsOf(account)).toMatchObject({ accessKeyId: 'AKIANORTH' });
  });

  it('comes from AWS_PROFILE without --profile, in the Region from --region', async () => {
    vi.stubEnv('AWS_PROFILE', 'north');

    const account = await openAwsAccount({ region: 'eu-west-1' });
    const credentials = await credentialsOf(account);

    vi.stubEnv('AWS_PROFILE', undefined);
    expect(account.region).toBe('eu-west-1');
    expect(credentials).toMatchObject({ accessKeyId: 'AKIANORTH' });
  });

  it('fails without a Region, and names the ways to set it', async () => {
    const { exitCode, words } = await manage('webhooks list --stack Mail --profile nowhere', {
      openAwsAccount,
    });

    expect(exitCode).toBe(2);
    expect(words).toMatch(/--region, AWS_REGION, or the profile in ~\/\.aws\/config/);
  });

  it('fails without credentials, and names the ways to get them', async () => {
    const { exitCode, words } = await manage(
      'webhooks list --stack Mail --profile gone --region eu-west-1',
      { openAwsAccount },
    );

    expect(exitCode).toBe(4);
    expect(words).toMatch(/^No AWS credentials: .*\n {2}→ Name a profile .*aws sso login/);
  });
});

describe('a refusal by AWS', () => {
  it.each([
    ['AccessDenied', 400, 4, 'permissions'],
    ['UnrecognizedClientException', 400, 4, 'permissions'],
    ['ExpiredToken', 403, 4, 'aws sso login'],
    ['ResourceNotFoundException', 400, 3, '--stack'],
    ['ValidationError', 400, 1, '--stack'],
    ['Throttling', 400, 6, 'in a minute'],
    ['ThrottlingException', 400, 6, 'in a minute'],
    ['InternalFailure', 500, 6, 'later'],
    ['InsufficientCapabilitiesException', 400, 1, undefined],
  ])('with %s (%i) exits with %i, and says what to do', async (code, status, exitCode, todo) => {
    const body = `<ErrorResponse><Error><Code>${code}</Code><Message>Because.</Message></Error></ErrorResponse>`;
    const { account } = fakeAccount({ DescribeStacks: { status, body } });

    const { words, ...ended } = await manage('webhooks list --stack Mail --json', {
      openAwsAccount: async () => account,
    });

    expect(ended).toEqual({ exitCode, output: '' });
    expect(JSON.parse(words)).toEqual({
      code,
      detail: 'AWS refused: Because.',
      ...(todo !== undefined && { todo: expect.stringContaining(todo) }),
      exitCode,
    });
  });

  it('without a message shows its code', async () => {
    const body = { __type: 'ResourceNotFoundException' };
    const { account } = fakeAccount({ GetSecretValue: { status: 400, body } });

    const reading = openSecret(account, 'arn:secret').read();

    await expect(reading).rejects.toMatchObject({
      exitCode: 3,
      message: 'AWS refused: ResourceNotFoundException',
    });
  });
});

describe('an unreachable AWS', () => {
  const silent = (error: Error) => ({
    ...fakeAccount({}).account,
    requestHandler: { handle: () => Promise.reject(error) },
  });

  it.each([
    ['a name that DNS does not have', Object.assign(new Error('no host'), { code: 'ENOTFOUND' })],
    ['a timeout', Object.assign(new Error('too long'), { name: 'TimeoutError' })],
  ])('makes the command exit with 6: %s', async (_, error) => {
    const reading = readStackOutputs(silent(error), 'Mail');

    await expect(reading).rejects.toMatchObject({
      exitCode: 6,
      code: 'no_answer',
      message: `AWS doesn't answer: ${error.message}`,
      todo: 'Check the Region and the network.',
    });
  });

  it("isn't blamed for a bug in this program", async () => {
    const fault = new TypeError('x is undefined');

    await expect(readStackOutputs(silent(fault), 'Mail')).rejects.toBe(fault);
  });
});

it('a secret without a text value fails with an error that names it', async () => {
  const body = { SecretBinary: 'AAAA', VersionId: 'v1', CreatedDate: 1.5 };
  const { account } = fakeAccount({ GetSecretValue: { body } });

  const reading = openSecret(account, 'arn:secret').read();

  await expect(reading).rejects.toMatchObject({ exitCode: 1, code: 'no_text' });
});
