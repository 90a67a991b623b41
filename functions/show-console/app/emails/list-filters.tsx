import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { dayMs } from '#shared/timing/day';
import type { Answer, Input } from '../../../api.ts';
import { call } from '../api-client.ts';
import {
  type Chip,
  Chips,
  FilterBar,
  FilterSelect,
  type Period,
  PeriodChoice,
  type Token,
} from '../parts/filter-bar.tsx';
import { May } from '../parts/may.tsx';
import { emailPage } from '../shared/addresses.ts';
import { may } from '../shared/may.ts';
import { namesOf, useNames } from '../shared/names.ts';
import { addressWith, maxPerPage, type Query } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { bounces, chipsWith, type Send, toneOf } from './outcomes.ts';
import { namesIn, searchOf, searchText } from './search.ts';

type Names = ReadonlyMap<string, string>;
const noNames: Names = new Map();

/** @param onTyped the text that a search began with by itself, while the person still types. */
export function Filters({
  progress,
  onTyped,
}: {
  progress: number | undefined;
  onTyped: (text: string | undefined) => void;
}) {
  const { query, path, route } = useLocation();
  const templates = useNameList('GET /api/v1/templates');
  const keys = useNameList('GET /api/v1/api-keys');
  const search = async (text: string | undefined, isTyping: boolean) => {
    const asked = namesIn(text);
    const found = searchOf(text, {
      templates: asked === 'template' ? await templates.load() : templates.names,
      keys: asked === 'key' ? await keys.load() : keys.names,
    });
    onTyped(isTyping ? text : undefined);
    if ('open' in found) return route(emailPage(found.open));
    // What comes with each letter is one step back.
    const isNext = isTyping && searchText(query) !== '';
    route(addressWith(path, { ...query, cursor: undefined, ...found.filter }), isNext);
  };
  return (
    <FilterBar
      label="Search emails"
      placeholder="Search by address, subject, tag, ID or key"
      value={searchText(query)}
      onSearch={(text, isTyping) => void search(text, isTyping)}
      asTyped
      tokens={useTokens(query)}
      progress={progress}
      filters={
        <>
          <May ask="GET /api/v1/templates">
            <FilterSelect
              name="template"
              label="Template"
              options={[['', 'Any template'], ...templates.names]}
              onNear={() => void templates.load()}
            />
          </May>
          <May ask="GET /api/v1/api-keys">
            <FilterSelect
              name="key"
              label="API key"
              options={[['', 'Any key'], ...keys.names]}
              onNear={() => void keys.load()}
            />
          </May>
          <FilterSelect
            name="test"
            label="Mode"
            options={[
              ['', 'Live emails'],
              ['true', 'Test emails'],
            ]}
          />
        </>
      }
    >
      <PeriodChoice />
    </FilterBar>
  );
}

/** Loaded once it's needed. Without the scope to list them, they're known only by their ids. */
function useNameList(route: 'GET /api/v1/templates' | 'GET /api/v1/api-keys') {
  const [names, setNames] = useState(noNames);
  const load = async (): Promise<Names> => {
    if (names.size > 0 || !may(route)) return names;
    try {
      const { data } = await call(route, { query: { limit: maxPerPage } });
      const loaded = namesOf(data);
      setNames(loaded);
      return loaded;
    } catch {
      return names;
    }
  };
  return { names, load };
}

function useTokens({ template, key, test }: Query): readonly Token[] {
  const nameOf = useNames([template, key], `${template} ${key}`);
  const token = (name: string, label: string, id: string | undefined): readonly Token[] =>
    id ? [{ name, label, text: nameOf(id) ?? id }] : [];
  return [
    ...token('template', 'template', template),
    ...token('key', 'key', key),
    ...(test === 'true' ? [{ name: 'test', label: 'only', text: 'test emails' }] : []),
  ];
}

type Counts = Readonly<Record<string, number | undefined>>;

const chipsOf = (chosen: string | undefined, counts: Counts = {}): readonly Chip[] =>
  chipsWith(chosen).map(([value, text]) => ({
    value,
    text,
    count: counts[value],
    tone: toneOf(value),
  }));

const OutcomeChips = ({ counts }: { counts?: Counts | undefined }) => {
  const { outcome } = useLocation().query;
  return <Chips name="outcome" label="Outcome" chips={chipsOf(outcome, counts)} />;
};

/** Of the last days, if no time is chosen. */
export const countedDays = 30;

/**
 * Numbers cost little: with a search, they're counted over the rows, if these are all there are; without, they're the
 * metrics of the time shown. Where neither is known, there are none.
 *
 * @param found all that a search finds, once that's known.
 * @param counted what's counted of the time shown, if it's that.
 */
export function CountedChips({
  found,
  counted,
}: {
  found: readonly Send[] | undefined;
  counted: MetricsQuery | undefined;
}) {
  const { outcome } = useLocation().query;
  if (counted) return <MetricChips query={counted} />;
  return <OutcomeChips counts={found && !outcome ? countsOf(found) : undefined} />;
}

function countsOf(found: readonly Send[]): Counts {
  const number = (among: readonly string[]) =>
    found.filter(({ outcome }) => among.includes(outcome)).length;
  const each = chipsWith(undefined).map(
    ([value]) => [value, value ? number(value.split(',')) : found.length] as const,
  );
  return Object.fromEntries(each);
}

type MetricsQuery = NonNullable<Input<'GET /api/v1/metrics'>['query']>;

const counters = ['template', 'key', 'tag'] as const;

/** Asks for what the metrics can count: one filter at most, and no test emails. Their buckets aren't needed. */
export function metricsQueryOf(query: Query, { from }: Period): MetricsQuery | undefined {
  const { outcome: _, period: __, ...filters } = query;
  const chosen = Object.entries(filters).filter(([, value]) => value);
  const by = counters.find((one) => query[one]);
  if (chosen.length > (by ? 1 : 0) || !may('GET /api/v1/metrics')) return undefined;
  const start = from ?? new Date(dayStart(Date.now() - countedDays * dayMs)).toISOString();
  return { from: start, interval: 'month', ...(by && { by, value: query[by] }) };
}

const dayStart = (at: number): number => at - (at % dayMs);

/** Only of last outcomes: an email that was opened is no longer under “Delivered”. */
function MetricChips({ query }: { query: MetricsQuery }) {
  const { value } = useCall('GET /api/v1/metrics', { query });
  return <OutcomeChips counts={value && countsIn(value.totals)} />;
}

const countsIn = (figures: Answer<'GET /api/v1/metrics'>['totals']): Counts => ({
  clicked: figures.unique_clicked,
  [bounces.join()]: figures.bounced,
  complained: figures.complained,
  failed: figures.failed,
  suppressed: figures.suppressed,
  canceled: figures.canceled,
});
