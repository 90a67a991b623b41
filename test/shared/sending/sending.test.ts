import { describe, expect, it } from 'vitest';
import { sendingEnvironment } from '#shared/config/environment';
import { openSending } from '#shared/sending/sending';
import { captureOutput } from '../../support/captured-output.ts';

const open = () =>
  openSending(
    sendingEnvironment.parse({
      ATTACHMENTS_BUCKET_URL: 'https://bucket.example.com',
      AWS_REGION: 'eu-west-1',
      TABLE_NAME: 'table',
      CONFIGURATION_SET_NAME: 'set',
      TOKEN_SIGNING_SECRET_ID: 'secret-1',
      PUBLIC_BASE_URL: 'https://mail-service.example.com',
      WEBHOOK_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/webhooks',
      SEND_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/123456789012/sends',
      DOUBT_WINDOW_SECONDS: '60',
      SEND_RETENTION_DAYS: '7',
    }),
  );

describe('openSending', () => {
  it('counts its windows in milliseconds, and its retention in days', () => {
    expect(open()).toMatchObject({ doubtWindowMs: 60_000, sendRetentionDays: 7 });
  });

  it.each(['unanswered', 'taken over'] as const)(
    'counts a send in doubt that is %s in a metric',
    (found) => {
      const output = captureOutput();

      open().countDoubt(found);

      expect(output.text()).toContain('"SendInDoubt":1');
      expect(output.text()).toContain(`"found":"${found}"`);
    },
  );
});
