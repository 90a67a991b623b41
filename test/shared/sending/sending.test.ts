import { expect, it } from 'vitest';
import { sendingEnvironment } from '#shared/config/environment';
import { openSending } from '#shared/sending/sending';
import { openTable } from '#shared/table/table-client';
import { sendingVariables } from '../../support/sending-variables.ts';

it('the settings of sending are its variables, with the lease in milliseconds', () => {
  const environment = sendingEnvironment.parse({
    ...sendingVariables,
    DOUBT_WINDOW_SECONDS: '60',
    SEND_RETENTION_DAYS: '7',
  });

  const { settings } = openSending(openTable('table'), environment);

  expect(settings).toMatchObject({ leaseMs: 60_000, sendRetentionDays: 7 });
});
