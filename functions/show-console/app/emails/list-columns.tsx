import type { Column } from '../parts/table.tsx';
import { Foreign, Moment, StateBadge, Tag } from '../parts/text.tsx';
import { dayText, shortTime, zoneText } from '../shared/format.ts';
import { badgeOf, glyphOf, othersIn, type Send, timesOf } from './outcomes.ts';
import { markedParts } from './search.ts';
import { whyOf } from './why.ts';

type Listed = {
  readonly sends: readonly Send[];
  readonly selected: readonly Send['outcome'][];
  readonly search: string | undefined;
};

/** The day that rows are divided by. */
export const dayOf = (selected: readonly Send['outcome'][]) => {
  const { at } = timesOf(selected);
  return (send: Send): string => dayText(at(send));
};

/** The columns are the same whatever is asked: why an email isn't there is behind its subject. */
export function columnsOf({ sends, selected, search }: Listed): readonly Column<Send>[] {
  const { head, at } = timesOf(selected);
  const [first] = sends;
  const day = first && `${dayText(at(first))}, ${zoneText(at(first))}`;
  return [
    {
      head: 'Outcome',
      look: 'status',
      cell: (send) => (
        <>
          <StateBadge of={badgeOf(send)} glyph={glyphOf(send)} />
          {send.test && (
            <>
              {' '}
              <Tag>Test</Tag>
            </>
          )}
        </>
      ),
    },
    {
      head: 'To',
      look: 'strong',
      width: 3,
      cell: (send) => (
        <span class="recipients">
          <Foreign text={send.toEmail} most={80} />
          <Others send={send} />
        </span>
      ),
    },
    {
      head: 'Subject',
      isLink: true,
      cell: (send) => (
        <>
          <Subject send={send} search={search} />
          <Why send={send} />
        </>
      ),
    },
    ...(sends.some(isTimed) ? [tookColumn] : []),
    {
      head: (
        <>
          {head !== 'Time' && <span class="visually-hidden">{head} </span>}
          {day ?? head}
        </>
      ),
      look: 'end clock',
      cell: (send) => <Moment at={at(send)} ofDay />,
    },
  ];
}

const isTimed = ({ outcome }: Send): boolean => outcome === 'delivered';

const tookColumn: Column<Send> = {
  head: 'Took',
  look: 'end took roomy',
  cell: (send) => isTimed(send) && shortTime(Math.max(0, send.outcomeAt - send.createdAt)),
};

/** What was searched for stands out. */
const Subject = ({ send, search }: { send: Send; search: string | undefined }) => (
  <bdi class="foreign">
    {markedParts(send.subject || '(no subject)', search).map(({ text, isMarked }, place) =>
      isMarked ? <mark key={place}>{text}</mark> : text,
    )}
  </bdi>
);

function Why({ send }: { send: Send }) {
  const why = whyOf(send);
  return why === undefined ? null : (
    <span class="because">
      <Foreign text={why} most={160} />
    </span>
  );
}

function Others({ send }: { send: Send }) {
  const number = othersIn(send);
  return number === 0 ? null : <span class="quiet">and {number} more</span>;
}
