import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalServer } from '../../../infra/local/local-server.ts';
import { startMailbox } from '../../../infra/local/mailbox.ts';
import { type SesSimulatorOptions, startSesSimulator } from '../../../infra/local/ses-simulator.ts';

const running: LocalServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0).reverse()) await server.stop();
});

async function simulatorWith(options: Partial<SesSimulatorOptions> = {}) {
  const published: string[] = [];
  const dropped: (string | undefined)[] = [];
  const mailbox = await startMailbox();
  running.push(mailbox);
  const simulator = await startSesSimulator({
    mailboxUrl: mailbox.url,
    publish: async ({ eventType }) => {
      published.push(eventType);
    },
    reportDropped: (event) => dropped.push(event?.eventType),
    delayMs: 0,
    ...options,
  });
  running.push(simulator);
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
  it('puts the email into the mailbox, answers its id, then publishes in order', async () => {
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

  it('publishes nothing for an email without a configuration set', async () => {
    const { simulator, published } = await simulatorWith();
    const { ConfigurationSetName: _, ...input } = sendEmail('ann@example.com').input;

    await clientOf(simulator.url).send(new SendEmailCommand(input));
    await simulator.settled();

    expect(published).toEqual([]);
  });

  it('tells of an event that could not be published, and publishes the next one', async () => {
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

  it('passes every other request through to the mailbox', async () => {
    const { simulator } = await simulatorWith();

    const response = await fetch(`${simulator.url}/health-check`);

    expect(response.status).toBe(200);
  });
});
