import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { isoMoment, queryMoment, rangeText } from '../shared/format.ts';
import { addressWith, type Query } from '../shared/paging.ts';
import { useSlash } from '../shared/shortcuts.ts';
import type { Tone } from '../shared/words.ts';
import { Dialog } from './dialog.tsx';
import { ChangeForm, MomentField, type Options } from './form.tsx';

/** The page's query, and a link to the first page with part of it changed. */
export function useFilters() {
  const { path, query, route } = useLocation();
  const addressOf = (changes: Query) =>
    addressWith(path, { ...query, cursor: undefined, ...changes });
  return { query, addressOf, change: (changes: Query) => route(addressOf(changes)) };
}

const choiceNames = ['period', 'from', 'until', 'template', 'key', 'test'];

/** A search box, and choices that a phone shows on request, all kept in the address's query. */
export function FilterBar({
  label,
  placeholder = label,
  value,
  onSearch,
  children,
}: {
  label: string;
  placeholder?: string;
  value: string;
  onSearch: (text: string | undefined) => void;
  children?: ComponentChildren;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { query } = useLocation();
  const chosen = choiceNames.filter((name) => query[name]).length;
  const hasSlash = useSlash(useCallback(() => input.current?.select(), []));
  const typed = () => input.current?.value.trim() ?? '';
  const search = (event: Event) => {
    event.preventDefault();
    onSearch(typed() || undefined);
  };
  // The box isn't remounted, so it keeps the focus.
  useEffect(() => {
    if (input.current && typed() !== value) input.current.value = value;
  }, [value]);
  return (
    <search class="filterbar">
      <form onSubmit={search}>
        <input
          ref={input}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          defaultValue={value}
          autocomplete="off"
          spellcheck={false}
          aria-keyshortcuts={hasSlash ? '/' : undefined}
          // If the text has changed, the down arrow searches for it first.
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' && typed() !== value) search(event);
          }}
          // Clearing the box searches too.
          onInput={({ currentTarget }) => {
            if (currentTarget.value === '' && value !== '') onSearch(undefined);
          }}
        />
        {hasSlash && <kbd title="Press / to search. Turn this off in Settings">/</kbd>}
      </form>
      {children && (
        <>
          <button
            type="button"
            class="onphone"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            Filters{chosen > 0 && ` (${chosen})`}
          </button>
          <div class="choices">{children}</div>
        </>
      )}
    </search>
  );
}

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

const dayMs = 86_400_000;
const periods = [
  { name: 'today', words: 'Today', days: 0 },
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
        {periods.map(({ name, words }) => segment(name, words))}
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
  // On a phone, the line scrolls.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
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
