import { createServer } from 'node:http';
import {
  AlreadyExistsException,
  BadRequestException,
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  PutEmailIdentityFeedbackAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
  SESv2Client,
  SESv2ServiceException,
  TagResourceCommand,
  TooManyRequestsException,
  UntagResourceCommand,
} from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { ownerTag } from '#shared/config/ses-settings';
import { sesDomainSchema } from '#shared/domains/ses-domain';
import {
  readSendQuota,
  type SesIdentities,
  SesRefusal,
  sesIdentitiesOf,
} from '#shared/domains/ses-identities';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { listen } from '../../../infra/local/server.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const client = new SESv2Client({ region: 'eu-west-1' });
const aws = mockClient(client);
afterEach(() => aws.reset());

const ses = sesIdentitiesOf(client, 'eu-west-1', 'arn:aws:ses:eu-west-1:000000000000:identity');
const domain = 'mail.example.com';
const organizationId = newOrganizationId();

/** By HTTP, as the SDK's types have only the words that it knew. */
async function sesAnswering(answer: object) {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  const { url, stop } = await listen(server, 0);
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const theirs = new SESv2Client({ region: 'eu-west-1', endpoint: url, credentials });
  onTestFinished(() => {
    theirs.destroy();
    return stop();
  });
  return sesIdentitiesOf(theirs, 'eu-west-1', 'arn:aws:ses:eu-west-1:000000000000:identity');
}

/** As AWS answers: with its HTTP status. */
const fault = (httpStatusCode: number) => ({
  message: 'AWS’s words',
  $metadata: { httpStatusCode },
});

describe('a domain in SES', () => {
  it('is what SES says of DKIM and MAIL FROM, whatever its sending status', async () => {
    aws.on(GetEmailIdentityCommand, { EmailIdentity: domain }).resolves({
      VerifiedForSendingStatus: false,
      FeedbackForwardingStatus: false,
      DkimAttributes: {
        Status: 'SUCCESS',
        Tokens: ['a', 'b', 'c'],
        SigningHostedZone: 'dkim.eu-west-1.amazonses.com',
      },
      MailFromAttributes: {
        MailFromDomain: `bounces.${domain}`,
        MailFromDomainStatus: 'PENDING',
        BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      },
      Tags: [{ Key: ownerTag, Value: organizationId }],
      VerificationInfo: { ErrorType: 'TYPE_NOT_FOUND' },
    });

    expect(await ses.get(domain)).toEqual({
      ownerId: organizationId,
      dkim: {
        status: 'SUCCESS',
        tokens: ['a', 'b', 'c'],
        hostedZone: 'dkim.eu-west-1.amazonses.com',
      },
      mailFrom: { domain: `bounces.${domain}`, status: 'PENDING' },
      forwardsBounces: false,
      errorType: 'TYPE_NOT_FOUND',
    });
  });

  it.each([
    ['Success', 'SUCCESS', { dkim: 'UNKNOWN', mailFrom: 'SUCCESS', errorType: 'DKIM Success' }],
    ['PENDING', 'HELD', { dkim: 'PENDING', mailFrom: 'UNKNOWN', errorType: undefined }],
  ])(
    'is stored and read again when SES has new words for it: %s, %s',
    async (dkim, mailFrom, expected) => {
      const answer = {
        DkimAttributes: { Status: dkim, Tokens: [] },
        MailFromAttributes: { MailFromDomain: `bounces.${domain}`, MailFromDomainStatus: mailFrom },
        FeedbackForwardingStatus: false,
      };

      const found = await (await sesAnswering(answer)).get(domain);

      expect(sesDomainSchema.parse(found)).toMatchObject({
        dkim: { status: expected.dkim },
        mailFrom: { status: expected.mailFrom },
      });
      expect(found?.errorType).toBe(expected.errorType);
    },
  );

  it('belongs to nobody without the service’s tag', async () => {
    aws.on(GetEmailIdentityCommand).resolves({ Tags: [{ Key: 'team', Value: organizationId }] });

    expect(await ses.get(domain)).toMatchObject({ ownerId: undefined, mailFrom: undefined });
  });

  it('is not there when SES does not find it', async () => {
    aws.on(GetEmailIdentityCommand).rejects(new NotFoundException(fault(404)));

    expect(await ses.get(domain)).toBeUndefined();
  });

  it('is created with Easy DKIM and the tag of its organization', async () => {
    aws.on(CreateEmailIdentityCommand).resolves({});

    await ses.create(domain, organizationId);

    expect(aws.commandCalls(CreateEmailIdentityCommand)[0]?.args[0].input).toEqual({
      EmailIdentity: domain,
      DkimSigningAttributes: { NextSigningKeyLength: 'RSA_2048_BIT' },
      Tags: [{ Key: ownerTag, Value: organizationId }],
    });
  });

  it('may be created and deleted twice', async () => {
    aws.on(CreateEmailIdentityCommand).rejects(new AlreadyExistsException(fault(400)));
    aws.on(DeleteEmailIdentityCommand).rejects(new NotFoundException(fault(404)));

    await expect(ses.create(domain, organizationId)).resolves.toBeUndefined();
    await expect(ses.delete(domain)).resolves.toBeUndefined();
  });

  it('forwards bounces unless SES says that it does not', async () => {
    aws.on(GetEmailIdentityCommand).resolvesOnce({}).resolves({ FeedbackForwardingStatus: true });

    expect(await ses.get(domain)).toMatchObject({ forwardsBounces: true });
    expect(await ses.get(domain)).toMatchObject({ forwardsBounces: true });
  });

  it('is told to forward no bounce, and is good if SES refuses that', async () => {
    aws
      .on(PutEmailIdentityFeedbackAttributesCommand)
      .resolvesOnce({})
      .rejects(new BadRequestException(fault(400)));

    await ses.stopForwarding(domain);
    await ses.stopForwarding(domain);

    const [call] = aws.commandCalls(PutEmailIdentityFeedbackAttributesCommand);
    expect(call?.args[0].input).toEqual({ EmailIdentity: domain, EmailForwardingEnabled: false });
  });

  it('is left as it was before it was adopted, with the tag last, without which IAM allows no change', async () => {
    aws.on(PutEmailIdentityFeedbackAttributesCommand).resolves({});
    aws.on(UntagResourceCommand).resolves({});

    await ses.giveBack(domain, { forwardsBounces: true });

    expect(aws.calls().map(({ args }) => args[0].input)).toEqual([
      { EmailIdentity: domain, EmailForwardingEnabled: true },
      {
        ResourceArn: `arn:aws:ses:eu-west-1:000000000000:identity/${domain}`,
        TagKeys: [ownerTag],
      },
    ]);
  });

  it('sends with a MAIL FROM domain of SES’s own as long as DNS lacks the other', async () => {
    aws.on(PutEmailIdentityMailFromAttributesCommand).resolves({});

    await ses.setMailFrom(domain, `bounces.${domain}`);

    const [call] = aws.commandCalls(PutEmailIdentityMailFromAttributesCommand);
    expect(call?.args[0].input).toEqual({
      EmailIdentity: domain,
      MailFromDomain: `bounces.${domain}`,
      BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
    });
  });
});

describe('the tag of a domain in SES', () => {
  it('names the organization that SES keeps it for from now on', async () => {
    aws.on(TagResourceCommand).resolves({});

    await ses.tag(domain, organizationId);

    expect(aws.commandCalls(TagResourceCommand)[0]?.args[0].input).toEqual({
      ResourceArn: `arn:aws:ses:eu-west-1:000000000000:identity/${domain}`,
      Tags: [{ Key: ownerTag, Value: organizationId }],
    });
  });
});

describe('a change that IAM allows only with the tag', () => {
  const denied = new SESv2ServiceException({
    name: 'AccessDeniedException',
    $fault: 'client',
    ...fault(403),
  });
  /** A clock that nobody waits for. */
  const openWithClock = () => {
    const pauses: number[] = [];
    const waiting = sesIdentitiesOf(client, 'eu-west-1', 'arn', async (ms) => pauses.push(ms));
    return { waiting, pauses };
  };
  const changes = [
    [
      'setMailFrom',
      () => aws.on(PutEmailIdentityMailFromAttributesCommand),
      (one: SesIdentities) => one.setMailFrom(domain, `bounces.${domain}`),
    ],
    [
      'stopForwarding',
      () => aws.on(PutEmailIdentityFeedbackAttributesCommand),
      (one: SesIdentities) => one.stopForwarding(domain),
    ],
    [
      'delete',
      () => aws.on(DeleteEmailIdentityCommand),
      (one: SesIdentities) => one.delete(domain),
    ],
    [
      'tag',
      () => aws.on(TagResourceCommand),
      (one: SesIdentities) => one.tag(domain, organizationId),
    ],
    [
      'giveBack',
      () => aws.on(UntagResourceCommand),
      (one: SesIdentities) => one.giveBack(domain, { forwardsBounces: true }),
    ],
  ] as const;

  it.each(changes)('waits some seconds until IAM knows a new tag: %s', async (_, call, change) => {
    const { waiting, pauses } = openWithClock();
    aws.on(PutEmailIdentityFeedbackAttributesCommand).resolves({});
    call().rejectsOnce(denied).rejectsOnce(denied).resolves({});

    await change(waiting);

    expect(pauses).toEqual([500, 1_000]);
  });

  it.each(changes)('is to be repeated after five seconds in vain: %s', async (_, call, change) => {
    const { waiting, pauses } = openWithClock();
    aws.on(PutEmailIdentityFeedbackAttributesCommand).resolves({});
    call().rejects(denied);

    const error = await serviceErrorOf(() => change(waiting));

    expect(error).toMatchObject({ code: 'provider_not_ready', retryAfterSeconds: 10 });
    expect(pauses.reduce((sum, one) => sum + one)).toBe(5_000);
  });

  it('waits for nothing when SES refuses it for another reason', async () => {
    const { waiting, pauses } = openWithClock();
    aws.on(DeleteEmailIdentityCommand).rejects(new BadRequestException(fault(400)));

    await expect(waiting.delete(domain)).rejects.toThrow(SesRefusal);

    expect(pauses).toEqual([]);
  });
});

describe('an answer that SES does not give', () => {
  it('is a refusal with AWS’s own words when a repetition is for nothing', async () => {
    aws.on(CreateEmailIdentityCommand).rejects(new BadRequestException(fault(400)));

    await expect(ses.create(domain, organizationId)).rejects.toThrow(
      new SesRefusal('BadRequestException: AWS’s words'),
    );
  });

  it.each([
    ['provider_throttled', new TooManyRequestsException(fault(429))],
    ['provider_unreachable', new BadRequestException(fault(500))],
    ['provider_unreachable', new BadRequestException(fault(503))],
    ['provider_unreachable', new Error('socket hang up')],
  ])('is %s when it may come later', async (code, error) => {
    aws.on(GetEmailIdentityCommand).rejects(error);

    expect((await serviceErrorOf(() => ses.get(domain))).code).toBe(code);
  });

  it.each([401, 403])(
    'is thrown as it is with status %i: AWS’s words name our roles',
    async (status) => {
      const error = new BadRequestException(fault(status));
      aws.on(CreateEmailIdentityCommand).rejects(error);

      await expect(ses.create(domain, organizationId)).rejects.toBe(error);
    },
  );
});

describe('the account', () => {
  it.each([
    {
      says: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 12_500 },
      is: { maxSendRate: 14, usedPercent: 25 },
    },
    { says: { MaxSendRate: -1, Max24HourSend: -1, SentLast24Hours: 7 }, is: {} },
    { says: undefined, is: {} },
  ])('has the quota $is if SES says $says', async ({ says, is }) => {
    aws.on(GetAccountCommand).resolves(says ? { SendQuota: says } : {});

    expect(await readSendQuota(client)).toEqual(is);
  });

  it('is in the sandbox unless SES says otherwise', async () => {
    aws.on(GetAccountCommand).resolves({ SendingEnabled: true, EnforcementStatus: 'HEALTHY' });

    expect(await ses.getAccount()).toEqual({
      region: 'eu-west-1',
      hasProductionAccess: false,
      isSendingEnabled: true,
      enforcementStatus: 'HEALTHY',
    });
  });
});
