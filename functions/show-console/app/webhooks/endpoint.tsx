import { Badge } from '../shared/text.tsx';
import { type Tone, type Webhook, webhookEvents } from '../shared/words.ts';

const healthWords = {
  well: ['Well', 'good'],
  failing: ['Failing', 'warn'],
  disabled: ['Disabled', 'bad'],
} as const satisfies Record<Webhook['health']['status'], readonly [string, Tone]>;

export const HealthBadge = ({ webhook: { health } }: { webhook: Webhook }) => (
  <Badge tone={healthWords[health.status][1]}>{healthWords[health.status][0]}</Badge>
);

export const EventTypes = ({ chosen }: { chosen: readonly string[] }) => (
  <fieldset>
    <legend>What it hears</legend>
    <p class="quiet">Nothing checked: all of it, also what is added later.</p>
    {webhookEvents.map((type) => (
      <label key={type} class="check">
        <input type="checkbox" name="event" value={type} defaultChecked={chosen.includes(type)} />
        <code>{type}</code>
      </label>
    ))}
  </fieldset>
);

export const typedEvents = (form: FormData) =>
  webhookEvents.filter((type) => form.getAll('event').includes(type));
