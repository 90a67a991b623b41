import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { dayMs } from '#shared/timing/day';
import { isoMoment, queryMoment, rangeText } from '../shared/format.ts';
import { addressWith, type Query } from '../shared/paging.ts';
import { useSingleKey } from '../shared/shortcuts.ts';
import { leastTyped, typingMs } from '../shared/typing.ts';
import type { Tone } from '../shared/words.ts';
import { Dialog } from './dialog.tsx';
import { ChangeForm, MomentField, type Options } from './form.tsx';
import { Glyph } from './glyph.tsx';
import { useMenu } from './menu.ts';
import { Foreign } from './text.tsx';

/** The page's query, and a link to the first page with part of it changed. */
export function useFilters() {
  const { path, query, route } = useLocation();
  const addressOf = (changes: Query) =>
    addressWith(path, { ...query, cursor: undefined, ...changes });
  return { query, addressOf, change: (changes: Query) => route(addressOf(changes)) };
}

const choiceNames = ['period', 'from', 'until', 'template', 'key', 'test'];

/** A filter that's chosen, in the search box. */
export type Token = { readonly name: string; readonly label: string; readonly text: string };

type SearchProps = {
  label: string;
  placeholder?: string | undefined;
  value: string;
  /** Also while the person types: then `isTyping`. */
  onSearch: (text: string | undefined, isTyping: boolean) => void;
  asTyped?: boolean | undefined;
  tokens?: readonly Token[] | undefined;
  /** How far a search is, from 0 to 1. */
  progress?: number | undefined;
};

/** A search box, filters behind a button, and a range, which a phone shows on request. All are in the address's query. */
export function FilterBar({
  filters,
  children,
  ...search
}: SearchProps & {
  /** In a panel below “Filter”. */
  filters?: ComponentChildren;
  /** Beside the box. */
  children?: ComponentChildren;
}) {
  const { isOpen, setOpen, element, id } = useMenu<HTMLDivElement>();
  const { query } = useLocation();
  const chosen = choiceNames.filter((name) => query[name]).length;
  return (
    <search class="filterbar">
      <SearchBox {...search} />
      {(filters || children) && (
        <div ref={element} class={`filter ${filters ? '' : 'onphone'}`}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <Glyph of="plus" />
            Filter{chosen > 0 && <span class="onphone"> ({chosen})</span>}
          </button>
          <div id={id} class="items" hidden={!isOpen || !filters}>
            {filters}
          </div>
          {children && <div class="choices">{children}</div>}
        </div>
      )}
    </search>
  );
}

function SearchBox({
  label,
  placeholder = label,
  value,
  onSearch,
  asTyped = false,
  tokens = [],
  progress,
}: SearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const { change } = useFilters();
  const hasSlash = useSingleKey(
    '/',
    useCallback(() => input.current?.select(), []),
  );
  const typed = () => input.current?.value.trim() ?? '';
  const asked = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const ask = (isTyping: boolean) => {
    clearTimeout(timer.current);
    asked.current = typed();
    onSearch(typed() || undefined, isTyping);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    ask(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  // The box isn't remounted, so it keeps the focus. What was typed since it asked stays.
  useEffect(() => {
    const isTypedOn = value === asked.current && document.activeElement === input.current;
    if (input.current && typed() !== value && !isTypedOn) input.current.value = value;
    asked.current = value;
  }, [value]);
  return (
    <form class="box" onSubmit={submit}>
      <Glyph of="find" />
      {tokens.map(({ name, label: kind, text }) => (
        <button
          key={name}
          type="button"
          class="token"
          aria-label={`Remove ${kind} ${text}`}
          onClick={() => change({ [name]: undefined })}
        >
          <span>{kind}</span> <Foreign text={text} most={40} />
        </button>
      ))}
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={value}
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts={hasSlash ? '/' : undefined}
        onKeyDown={(event) => {
          const last = tokens.at(-1);
          // If the text has changed, the down arrow searches for it first.
          if (event.key === 'ArrowDown' && typed() !== value) submit(event);
          if (event.key === 'Backspace' && event.currentTarget.value === '' && last) {
            change({ [last.name]: undefined });
          }
        }}
        onInput={({ currentTarget }) => {
          clearTimeout(timer.current);
          // Clearing the box searches too.
          if (currentTarget.value === '' && value !== '') ask(true);
          else if (asTyped && typed() !== value && typed().length >= leastTyped) {
            timer.current = setTimeout(() => ask(true), typingMs);
          }
        }}
      />
      {hasSlash && <kbd title="Press / to search. Turn this off in Settings">/</kbd>}
      {progress !== undefined && <Progress share={progress} />}
    </form>
  );
}

/** Moves because work does. */
export const Progress = ({ share }: { share: number }) => (
  <svg class="progress" viewBox="0 0 100 2" preserveAspectRatio="none" aria-hidden="true">
    <rect width={100 * share} height="2" />
  </svg>
);

/** Applies at once. */
export function FilterSelect({
  name,
  label,
  options,
  onNear,
}: {
  name: string;
  label: string;
  /** The first means no choice. */
  options: Options;
  /** Called when someone is likely to open it. */
  onNear?: () => void;
}) {
  const { query, change } = useFilters();
  const value = query[name] ?? '';
  const isKnown = options.some(([one]) => one === value);
  return (
    <select
      aria-label={label}
      value={value}
      onPointerEnter={onNear}
      onFocus={onNear}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value || undefined })}
    >
      {[...options, ...(isKnown ? [] : [[value, value] as const])].map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

const periods = [
  { name: 'today', words: 'Today', days: 0 },
  // For links: it has a segment only while it's chosen.
  { name: '24h', words: '24 h', days: 1 },
  { name: '7d', words: '7 d', days: 7 },
  { name: '30d', words: '30 d', days: 30 },
] as const;

const periodNamed = (text: string | undefined) => periods.find(({ name }) => name === text);

/** The period's start, to the minute, so that the query stays the same for that long. */
function startOf(days: number, now: number): number {
  if (days === 0) return new Date(now).setHours(0, 0, 0, 0);
  const start = now - days * dayMs;
  return start - (start % 60_000);
}

export type Period = { readonly from?: string; readonly until?: string };

/** The period in the page's address, as the API takes it. */
export function usePeriod(): Period {
  const { from, until, period } = useLocation().query;
  const days = periodNamed(period)?.days;
  return useMemo(() => {
    if (from || until) return { ...(from && { from }), ...(until && { until }) };
    if (days === undefined) return {};
    return { from: new Date(startOf(days, Date.now())).toISOString() };
  }, [from, until, days]);
}

/** The usual periods, one click each, and any other. */
export function PeriodChoice() {
  const { query, addressOf, change } = useFilters();
  const [isOpen, setOpen] = useState(false);
  const isRange = Boolean(query['from'] || query['until']);
  const chosen = isRange ? undefined : (periodNamed(query['period'])?.name ?? '');
  const range = rangeText(
    { from: queryMoment(query['from']), until: queryMoment(query['until']) },
    Date.now(),
  );
  const segment = (period: string, text: string) => (
    <a
      key={period}
      href={addressOf({ period: period || undefined, from: undefined, until: undefined })}
      aria-current={period === chosen ? 'true' : undefined}
    >
      {text}
    </a>
  );
  return (
    <>
      <nav class="segments" aria-label="Time">
        {segment('', 'Any time')}
        {periods
          .filter(({ name }) => name !== '24h' || name === chosen)
          .map(({ name, words }) => segment(name, words))}
        <button type="button" aria-current={isRange} onClick={() => setOpen(true)}>
          {range || 'Range…'}
        </button>
      </nav>
      {isOpen && (
        <Dialog title="Custom range" onClosed={() => setOpen(false)}>
          <ChangeForm
            submit="Show"
            act={async (typed) =>
              change({
                period: undefined,
                from: isoMoment(typed('from')),
                until: isoMoment(typed('until')),
              })
            }
          >
            <p>In your time zone, {Intl.DateTimeFormat().resolvedOptions().timeZone}.</p>
            <MomentField label="From" name="from" />
            <MomentField label="Until" name="until" />
          </ChangeForm>
        </Dialog>
      )}
    </>
  );
}

export type Chip = {
  readonly value: string;
  readonly text: string;
  /** Left out where nobody has counted. */
  readonly count?: number | undefined;
  readonly tone?: Tone | undefined;
};

/** A choice of a few, as links, each with how many there are. */
export function Chips({
  name,
  label,
  chips,
}: {
  name: string;
  label: string;
  /** The first means all, and has the value `''`. */
  chips: readonly Chip[];
}) {
  const { query, addressOf } = useFilters();
  const chosen = query[name] ?? '';
  const list = useRef<HTMLUListElement>(null);
  // On a phone, the line scrolls. Counts that come later make it longer.
  const counts = chips.map(({ count }) => count).join();
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen, counts]);
  return (
    <nav aria-label={label}>
      <ul class="chips" ref={list}>
        {chips.map(({ value, text, count, tone }) => (
          <li key={value}>
            <a
              class="chip"
              href={addressOf({ [name]: value || undefined })}
              aria-current={value === chosen ? 'true' : undefined}
            >
              {text}
              {count !== undefined && (
                <b class={count === 0 ? 'none' : tone}>{count.toLocaleString()}</b>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
