import { describe, expect, it } from 'vitest';
import { sendingEnvironment } from '#shared/config/environment';
import { openSending } from '#shared/sending/sending';
import { openTable } from '#shared/table/table-client';
import { captureOutput } from '../../support/captured-output.ts';
import { sendingVariables } from '../../support/sending-variables.ts';

const open = () =>
  openSending(
    openTable('table'),
    sendingEnvironment.parse({
      ...sendingVariables,
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
