import {
  CreateEmailIdentityCommand,
  CreateTenantCommand,
  CreateTenantResourceAssociationCommand,
  DeleteSuppressedDestinationCommand,
  GetSuppressedDestinationCommand,
  NotFoundException,
  PutSuppressedDestinationCommand,
  PutTenantSuppressionAttributesCommand,
  SESv2Client,
  SendEmailCommand,
} from '@aws-sdk/client-sesv2';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type SesServerOptions,
  startMailbox,
  startSesServer,
} from '../../../../infra/local/ses/ses-server.ts';

async function simulatorWith(options: Partial<SesServerOptions> = {}) {
  const published: string[] = [];
  const dropped: (string | undefined)[] = [];
  const mailbox = await startMailbox();
  onTestFinished(mailbox.stop);
  const simulator = await startSesServer({
    mailboxUrl: mailbox.url,
    publish: async ({ eventType }) => {
      published.push(eventType);
    },
    reportDropped: (event) => dropped.push(event?.eventType),
    delayMs: 0,
    ...options,
  });
  onTestFinished(simulator.stop);
  return { simulator, mailbox, published, dropped };
}

function clientOf(url: string): SESv2Client {
  return new SESv2Client({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
}

const sendEmail = (to: string, configurationSet: string | undefined = 'local') =>
  new SendEmailCommand({
    FromEmailAddress: 'hello@mail.example.com',
    Destination: { ToAddresses: [to] },
    Content: { Simple: { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hello' } } } },
    ConfigurationSetName: configurationSet,
  });

describe('SES simulator', () => {
  it('refuses a mailbox longer than 320 characters, name included', async () => {
    const { simulator } = await simulatorWith();
    const client = clientOf(simulator.url);
    const name = 'x'.repeat(320 - ' <ann@example.com>'.length);

    await client.send(sendEmail(`${name} <ann@example.com>`));
    await expect(client.send(sendEmail(`${name}y <ann@example.com>`))).rejects.toThrow(
      'Address length is more than 320 bytes long',
    );
  });

  it('refuses more than 50 recipients, and more than 15 headers', async () => {
    const { simulator } = await simulatorWith();
    const client = clientOf(simulator.url);
    const sendTo = (count: number) =>
      client.send(
        new SendEmailCommand({
          ...sendEmail('ann@example.com').input,
          Destination: { BccAddresses: Array(count).fill('ann@example.com') },
        }),
      );
    const sendWith = (count: number) =>
      client.send(
        new SendEmailCommand({
          ...sendEmail('ann@example.com').input,
          Content: {
            Simple: {
              Subject: { Data: 'Hi' },
              Body: { Text: { Data: 'Hello' } },
              Headers: Array.from({ length: count }, (_, at) => ({ Name: `X-${at}`, Value: 'v' })),
            },
          },
        }),
      );

    await sendTo(50);
    await expect(sendTo(51)).rejects.toThrow('Recipient count exceeds 50.');
    await sendWith(15);
    await expect(sendWith(16)).rejects.toThrow(/less than or equal to 15$/);
  });

  it('stores the email, returns its id, then publishes events in order', async () => {
    const { simulator, mailbox, published } = await simulatorWith();

    const { MessageId } = await clientOf(simulator.url).send(
      sendEmail('complaint@simulator.amazonses.com'),
    );
    await simulator.settled();

    const store: unknown = await (await fetch(`${mailbox.url}/store`)).json();
    expect(store).toMatchObject({
      emails: expect.arrayContaining([
        expect.objectContaining({ messageId: MessageId, subject: 'Hi' }),
      ]),
    });
    expect(published).toEqual(['Send', 'Delivery', 'Complaint']);
  });

  it("passes the mailbox's refusal on and publishes nothing", async () => {
    const { simulator, published } = await simulatorWith();
    const withoutSubject = new SendEmailCommand({
      FromEmailAddress: 'hello@mail.example.com',
      Destination: { ToAddresses: ['ann@example.com'] },
      Content: { Simple: { Subject: { Data: '' }, Body: { Text: { Data: 'Hello' } } } },
    });

    await expect(clientOf(simulator.url).send(withoutSubject)).rejects.toMatchObject({
      $metadata: { httpStatusCode: 400 },
    });
    await simulator.settled();

    expect(published).toEqual([]);
  });

  it('refuses unverified addresses in the sandbox, but accepts simulator addresses', async () => {
    const { simulator, published } = await simulatorWith();
    simulator.account.turn({ account: { ProductionAccessEnabled: false } });
    const client = clientOf(simulator.url);

    const refused = client.send(sendEmail('ann@example.com'));

    await expect(refused).rejects.toThrow(
      'Email address is not verified. The following identities failed the check in region US-EAST-1: ann@example.com',
    );
    await expect(refused).rejects.toMatchObject({ name: 'MessageRejected' });
    await client.send(sendEmail('success@simulator.amazonses.com'));
    await simulator.settled();
    expect(published).toEqual(['Send', 'Delivery']);

    await client.send(new CreateEmailIdentityCommand({ EmailIdentity: 'example.com' }));
    await expect(client.send(sendEmail('ann@example.com'))).rejects.toThrow('not verified');
    simulator.account.turn({ identities: { 'example.com': { dkim: 'SUCCESS' } } });
    expect((await client.send(sendEmail('ann@example.com'))).MessageId).toBeTruthy();
  });

  it('publishes nothing for an email without a configuration set', async () => {
    const { simulator, published } = await simulatorWith();
    const { ConfigurationSetName: _, ...input } = sendEmail('ann@example.com').input;

    await clientOf(simulator.url).send(new SendEmailCommand(input));
    await simulator.settled();

    expect(published).toEqual([]);
  });

  it("reports an event that it couldn't publish, and publishes the next one", async () => {
    const { simulator, published, dropped } = await simulatorWith({
      publish: async ({ eventType }) => {
        if (eventType === 'Send') throw new Error('not now');
        published.push(eventType);
      },
    });

    await clientOf(simulator.url).send(sendEmail('ann@example.com'));
    await simulator.settled();

    expect(dropped).toEqual(['Send']);
    expect(published).toEqual(['Delivery']);
  });

  it("keeps a tenant's suppression list separate, and applies it once the tenant uses it", async () => {
    const published: unknown[] = [];
    const { simulator } = await simulatorWith({
      publish: async (event) => void published.push(event),
    });
    simulator.account.turn({ configurationSet: { suppressedReasons: ['BOUNCE'] } });
    const ses = clientOf(simulator.url);
    const address = { EmailAddress: 'Ann@example.com' };
    const ofTenant = { ...address, TenantName: 'org_1' };
    await ses.send(new CreateEmailIdentityCommand({ EmailIdentity: 'mail.example.com' }));
    const created = await ses.send(new CreateTenantCommand({ TenantName: 'org_1' }));
    const prefix = created.TenantArn?.split(':tenant/')[0];
    for (const resource of ['identity/mail.example.com', 'configuration-set/local']) {
      await ses.send(
        new CreateTenantResourceAssociationCommand({
          TenantName: 'org_1',
          ResourceArn: `${prefix}:${resource}`,
        }),
      );
    }
    const send = async () => {
      const { input } = sendEmail('ann@EXAMPLE.com');
      await ses.send(new SendEmailCommand({ ...input, TenantName: 'org_1' }));
      await simulator.settled();
      return published.splice(0).at(-1);
    };

    await ses.send(new PutSuppressedDestinationCommand({ ...address, Reason: 'BOUNCE' }));
    const onAccountList = await send();
    await ses.send(
      new PutTenantSuppressionAttributesCommand({
        TenantName: 'org_1',
        SuppressionScope: 'TENANT',
        SuppressedReasons: ['BOUNCE'],
      }),
    );
    const withOwnList = await send();
    await ses.send(new PutSuppressedDestinationCommand({ ...ofTenant, Reason: 'BOUNCE' }));
    const onOwnList = await send();
    const { SuppressedDestination } = await ses.send(new GetSuppressedDestinationCommand(ofTenant));
    await ses.send(new DeleteSuppressedDestinationCommand(ofTenant));

    expect(onAccountList).toMatchObject({ bounce: { bounceSubType: 'OnAccountSuppressionList' } });
    expect(withOwnList).toMatchObject({ eventType: 'Delivery' });
    expect(onOwnList).toMatchObject({ bounce: { bounceSubType: 'OnTenantSuppressionList' } });
    expect(SuppressedDestination).toMatchObject({ Reason: 'BOUNCE', TenantName: 'org_1' });
    await expect(ses.send(new GetSuppressedDestinationCommand(ofTenant))).rejects.toThrow(
      NotFoundException,
    );
    expect(simulator.account.state.suppressed).toHaveProperty('Ann@example.com');
  });

  it('passes every other request through to the mailbox', async () => {
    const { simulator } = await simulatorWith();

    const response = await fetch(`${simulator.url}/health-check`);

    expect(response.status).toBe(200);
  });
});
