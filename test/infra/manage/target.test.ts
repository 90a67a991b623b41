import { describe, expect, it } from 'vitest';
import { findTarget } from '../../../infra/manage/target.ts';
import { fakeAccount, outputsXml } from '../../support/aws-account-builder.ts';
import {
  fakeFetch,
  fakeSurroundings,
  manage,
  twin,
  twinFile,
} from '../../support/manage-builder.ts';

const noWebhooks = { body: { data: [] } };

describe('the target service of a command', () => {
  it.each([
    ['an option, whatever else there is', { url: 'https://a.example' }, 'https://a.example'],
    ['else the environment', {}, 'https://env.example'],
    ['the twin, when the option says so', { local: true }, 'http://127.0.0.1:3000'],
  ])('is that of %s', async (_, options, baseUrl) => {
    const environment = { EMAIL_SERVICE_URL: 'https://env.example', AWS_PROFILE: 'production' };

    const target = await findTarget(options, fakeSurroundings({ environment, ...twin }));

    expect(target.baseUrl).toBe(baseUrl);
  });

  it('is the twin on PORT when several run', async () => {
    const asked: string[] = [];
    const readCheckoutFile = (path: string) => {
      asked.push(path);
      return twinFile;
    };

    await findTarget({}, fakeSurroundings({ readCheckoutFile, environment: { PORT: '4000' } }));
    await findTarget({}, fakeSurroundings({ readCheckoutFile, environment: { PORT: '3000' } }));

    expect(asked).toEqual(['.local/stack-4000.json', '.local/stack.json']);
  });

  describe('without a port in the environment', () => {
    const running = (...ports: readonly number[]) => ({
      listCheckoutFolder: () => [
        ...['data', 'service-4000.log', 'stack-4000.json.unfinished', 'dns.json'],
        ...ports.map((port) => (port === 3000 ? 'stack.json' : `stack-${port}.json`)),
      ],
      readCheckoutFile: (path: string) => {
        const [, port] = /^\.local\/stack(?:-(\d+))?\.json$/.exec(path) ?? [];
        if (!ports.includes(Number(port ?? 3000))) return undefined;
        return twinFile.replace('127.0.0.1:3000', `127.0.0.1:${port ?? 3000}`);
      },
    });

    it.each([
      ['the only one, whatever its port', [8790], 8790],
      ['the one of the default port, where others run too', [8790, 3000], 3000],
    ])('is %s', async (_, ports, port) => {
      const target = await findTarget({}, fakeSurroundings(running(...ports)));

      expect(target.baseUrl).toBe(`http://127.0.0.1:${port}`);
    });

    it('is ambiguous when several others run, and the error lists them', async () => {
      const { exitCode, words } = await manage('webhooks list', running(4000, 8790));

      expect(words).toBe(
        'Several local servers run in this checkout: choose one with PORT=4000 or PORT=8790, in front of the command.\n',
      );
      expect(exitCode).toBe(2);
    });

    it.each(['', '--local'])('is never a twin on another port than PORT: %s', async (option) => {
      const environment = { PORT: '9999' };

      const { words } = await manage(`webhooks list ${option}`, { ...running(8790), environment });

      expect(words).toContain('PORT is 9999, but no local server in this checkout uses that port.');
    });
  });

  it('is the running twin rather than the stack in AWS', async () => {
    const environment = { AWS_PROFILE: 'production' };

    const target = await findTarget({}, fakeSurroundings({ environment, ...twin }));

    expect(target.kind).toBe('twin');
  });

  it('is the stack of the AWS profile, by its outputs', async () => {
    const { account, asked } = fakeAccount({
      DescribeStacks: {
        body: outputsXml({
          BaseUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com',
          OperatorSecretArn: 'arn:secret',
        }),
      },
      GetSecretValue: { body: { SecretString: 'hush', VersionId: 'v1', CreatedDate: 1.5 } },
    });
    const opened: unknown[] = [];
    const surroundings = fakeSurroundings({
      ...twin,
      openAwsAccount: async (choice) => {
        opened.push(choice);
        return account;
      },
    });

    const target = await findTarget({ stack: 'Mail', profile: 'production' }, surroundings);
    const secret = await target.operatorSecret?.();

    expect(opened).toEqual([{ profile: 'production' }]);
    expect(target.baseUrl).toBe('https://abc.execute-api.eu-west-1.amazonaws.com');
    expect(secret).toBe('hush');
    expect(asked).toEqual([
      'DescribeStacks Action=DescribeStacks&Version=2010-05-15&StackName=Mail',
      'GetSecretValue {"SecretId":"arn:secret"}',
    ]);
  });

  it("is the construct in another app's stack, whose outputs are prefixed with its id", async () => {
    const { account } = fakeAccount({
      DescribeStacks: {
        body: outputsXml({
          BaseUrl: 'https://shop.example',
          EmailBaseUrl: 'https://abc.execute-api.eu-west-1.amazonaws.com',
          EmailOperatorSecretArn: 'arn:secret',
        }),
      },
    });

    const target = await findTarget(
      { stack: 'Shop' },
      fakeSurroundings({ openAwsAccount: async () => account }),
    );

    expect(target.baseUrl).toBe('https://abc.execute-api.eu-west-1.amazonaws.com');
  });

  it("is reported with AWS's own reason if the stack doesn't exist", async () => {
    const { account } = fakeAccount({
      DescribeStacks: {
        status: 400,
        body: '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id Mail does not exist</Message></Error></ErrorResponse>',
      },
    });

    const { exitCode, words } = await manage('webhooks list --stack Mail', {
      openAwsAccount: async () => account,
    });

    expect(words).toBe(
      'AWS refused: Stack with id Mail does not exist\n  → Check --stack, --region and --profile.\n',
    );
    expect(exitCode).toBe(1);
  });

  it.each([
    ['identity set --domain a.example --from-email hello@a.example', 'identity status --wait'],
    ['domains add a.example', 'domains verify a.example'],
  ])('is repeated in the next command that %s suggests', async (command, next) => {
    const { account } = fakeAccount({
      DescribeStacks: { body: outputsXml({ BaseUrl: 'https://shop.example' }) },
    });
    const answer = { body: { domain: 'a.example', status: 'pending', records: [] } };
    const { fetch } = fakeFetch(answer, answer, answer);
    const environment = { EMAIL_SERVICE_KEY: 'key' };

    const inStack = await manage(`${command} --stack Mail --profile shop`, {
      ...{ environment, fetch },
      openAwsAccount: async () => account,
    });
    const inTwin = await manage(command, { ...twin, environment, fetch });
    const ofPort = await manage(`${command} --key-file keys/shop`, {
      ...{ ...twin, fetch, environment: { PORT: '8790' } },
      readFile: () => Buffer.from('esk_shop'),
    });

    expect(inStack.words).toContain(
      `\nThen: npm run manage -- ${next} --stack Mail --profile shop\n`,
    );
    expect(inTwin.words).toContain(`\nThen: npm run manage -- ${next}\n`);
    expect(ofPort.words).toContain(
      `\nThen: PORT=8790 npm run manage -- ${next} --key-file keys/shop\n`,
    );
    expect(ofPort.words).toMatch(
      /\n {2}PORT=8790 npm run -s manage -- \S.* --key-file keys\/shop \| curl /,
    );
  });

  it('is required if nothing names it', async () => {
    const { exitCode, words } = await manage('webhooks list');

    expect(exitCode).toBe(2);
    expect(words).toMatch(/--url .* --stack .* npm start/);
  });

  it.each([
    '--url https://a.example --local',
    '--local --stack Mail',
    '--url https://a.example --profile p',
  ])('is rejected when named twice: %s', async (options) => {
    const { exitCode, words } = await manage(`webhooks list ${options}`, twin);

    expect(exitCode).toBe(2);
    expect(words).toContain('Use only one of');
  });

  it('is never the twin of another checkout', async () => {
    const readCheckoutFile = () => '{"baseUrl":"http://127.0.0.1:3000"}';

    const { exitCode, words } = await manage('webhooks list', { readCheckoutFile });

    expect(exitCode).toBe(6);
    expect(words).toContain('npm start');
  });

  it.each([
    'http://mail.example.com',
    'mail.example.com',
    'ftp://mail.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
  ])('gets no key at %s', async (url) => {
    const environment = { EMAIL_SERVICE_KEY: 'esk_key' };

    const { exitCode, words } = await manage(`webhooks list --url ${url}`, { environment });

    expect(exitCode).toBe(2);
    expect(words).toContain('https://');
  });
});

describe('the link to the console', () => {
  const BaseUrl = 'https://abc.execute-api.eu-west-1.amazonaws.com';

  it.each([
    ['on the domain of the deployment', { PublicBaseUrl: 'https://mail.example.com' }],
    ['on its API, where it tells of no other address', { PublicBaseUrl: undefined }],
  ])('is %s; the key goes to the API', async (_, { PublicBaseUrl }) => {
    const outputs = { BaseUrl, ...(PublicBaseUrl !== undefined && { PublicBaseUrl }) };
    const { account } = fakeAccount({ DescribeStacks: { body: outputsXml(outputs) } });
    const link = { path: '/console/sign-in#esl_x', expiresAt: 1 };
    const { fetch, asked } = fakeFetch({ status: 201, body: link });

    const { output } = await manage('console link --stack Mail', {
      fetch,
      environment: { EMAIL_SERVICE_KEY: 'esk_key' },
      openAwsAccount: async () => account,
    });

    expect(asked).toMatchObject([{ url: `${BaseUrl}/console/links` }]);
    expect(output).toBe(`${PublicBaseUrl ?? BaseUrl}/console/sign-in#esl_x\n`);
  });
});

describe('the operator secret that a command shows', () => {
  const environment = { EMAIL_SERVICE_OPERATOR_SECRET: 'of_another' };
  const noOrganizations = { body: { data: [], nextCursor: null } };

  it.each([
    ['of the file, before all others', '--operator-secret-file s', 'of_file'],
    ["the target's own, before that of the environment", '--local', 'twin-operator'],
    ['of the environment, where the target has none', '--url https://a.example', 'of_another'],
  ])('is %s', async (_, options, secret) => {
    const { fetch, asked } = fakeFetch(noOrganizations);

    await manage(`organizations list ${options}`, {
      ...twin,
      fetch,
      environment,
      readFile: () => Buffer.from('of_file\n'),
    });

    expect(asked[0]?.headers['x-operator-secret']).toBe(secret);
  });
});

describe('the key that a command shows', () => {
  it.each([
    ['the file, before the environment', '--key-file k', 'esk_file'],
    ['standard input', '--key-file -', 'esk_input'],
    ["the environment, before the twin's", '', 'esk_env'],
  ])('is that of %s', async (_, options, key) => {
    const { fetch, asked } = fakeFetch(noWebhooks);

    await manage(`webhooks list ${options}`, {
      ...twin,
      fetch,
      environment: { EMAIL_SERVICE_KEY: 'esk_env' },
      readFile: () => Buffer.from('esk_file\n'),
      readInput: async () => 'esk_input\n',
    });

    expect(asked[0]?.headers['authorization']).toBe(`Bearer ${key}`);
  });

  it("is the twin's own when no other is given", async () => {
    const { fetch, asked } = fakeFetch(noWebhooks);

    await manage('webhooks list', { ...twin, fetch });

    expect(asked[0]?.headers['authorization']).toBe('Bearer esk_twin');
  });

  it('is required if there is none', async () => {
    const { exitCode, words } = await manage('webhooks list --url https://a.example');

    expect(exitCode).toBe(4);
    expect(words).toMatch(/EMAIL_SERVICE_KEY.*--key-file/);
  });

  it('is rejected if the file holds something else, without printing it', async () => {
    const { exitCode, words } = await manage('webhooks list --key-file k', {
      ...twin,
      readFile: () => Buffer.from('a diary\nof mine'),
    });

    expect(exitCode).toBe(2);
    expect(words).not.toContain('diary');
  });

  it("can't be given as an option, which other users could see", async () => {
    const { exitCode, words } = await manage('webhooks list --key esk_abc', twin);

    expect(exitCode).toBe(2);
    expect(words).toContain("unknown option '--key'");
  });
});
