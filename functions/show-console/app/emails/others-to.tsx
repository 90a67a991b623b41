import { Card } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Foreign, Moment, StateBadge } from '../parts/text.tsx';
import { emailPage, recipientPage } from '../shared/addresses.ts';
import { may } from '../shared/may.ts';
import { useCall } from '../shared/use-call.ts';
import { badgeOf, type EmailStory, glyphOf, type Send } from './outcomes.ts';

const shown = 3;

/** What else the person got, newest first. */
export const OthersTo = ({ send }: { send: EmailStory['send'] }) =>
  send.toEmail.includes('@') && may('GET /api/v1/sends') ? <Others send={send} /> : null;

function Others({ send: { toEmail, _id, test } }: { send: EmailStory['send'] }) {
  const { value } = useCall('GET /api/v1/sends', {
    query: { to: toEmail, limit: shown + 1, ...(test && { test: 'true' }) },
  });
  const others = value?.data.filter((one) => one._id !== _id).slice(0, shown) ?? [];
  if (others.length === 0) return null;
  return (
    <Card title="Others to this address">
      <ul class="rows aligned">
        {others.map((other) => (
          <Other key={other._id} send={other} />
        ))}
      </ul>
      <p class="quiet">
        <PageLink href={recipientPage(toEmail)}>All about this address</PageLink>
      </p>
    </Card>
  );
}

export const Other = ({ send }: { send: Send }) => (
  <li>
    <StateBadge of={badgeOf(send)} glyph={glyphOf(send)} />
    <a class="wide" href={emailPage(send._id)}>
      <Foreign text={send.subject || '(no subject)'} most={120} breaks />
    </a>
    <span class="quiet">
      <Moment at={send.createdAt} inRow />
    </span>
  </li>
);
