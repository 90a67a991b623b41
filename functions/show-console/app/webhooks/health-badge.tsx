import { StateBadge } from '../parts/text.tsx';
import type { Tone } from '../shared/words.ts';
import type { Webhook } from './deliveries.ts';
import type { useDeliveries } from './delivery-log.tsx';

const healthWords = {
  // Also without any delivery yet: the service counts only failures.
  well: ['No failures', 'good'],
  retrying: ['Retrying', 'warn'],
  failing: ['Failing', 'warn'],
  disabled: ['Disabled', 'bad'],
} as const satisfies Record<Webhook['health']['status'], readonly [string, Tone]>;

/** @param log says more than a health that counts only failures. */
export function HealthBadge({
  webhook: { health, paused },
  log,
}: {
  webhook: Webhook;
  log?: ReturnType<typeof useDeliveries>;
}) {
  const { status } = health;
  const isWell = status === 'well';
  if (paused && status !== 'disabled') return <StateBadge of={['Paused', 'warn']} glyph="wait" />;
  if (isWell && log?.isEmpty) return <StateBadge of={['No deliveries yet', 'quiet']} />;
  return <StateBadge of={healthWords[isWell && log?.hasRetries ? 'retrying' : status]} />;
}
