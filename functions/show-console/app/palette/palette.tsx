import { type ComponentChildren, Fragment, type TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { badgeOf, glyphOf, type Send } from '../emails/outcomes.ts';
import { isWholeAddress } from '../emails/search.ts';
import { Progress } from '../parts/filter-bar.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { Foreign, Moment, StateBadge } from '../parts/text.tsx';
import { emailPage, recipientPage } from '../shared/addresses.ts';
import { addressWith } from '../shared/paging.ts';
import { mayOpen } from '../shared/places.ts';
import { commandKey } from '../shared/shortcuts.ts';
import { reasonText } from '../suppressions/reasons.ts';
import { type Entry, entriesFor } from './entries.ts';
import { type Finds, useFinds } from './use-finds.ts';

type Option = {
  readonly group: Entry['group'];
  readonly address: string;
  readonly content: ComponentChildren;
};

/** Leads to addresses, emails, actions and pages by a few letters. The focus stays in its box. */
export function Palette({ onClosed }: { onClosed: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState<number>();
  const { route } = useLocation();
  const id = useId();
  const typed = text.trim();
  const finds = useFinds(typed);
  const options = optionsFor(typed, finds);
  // A page or action that is named comes before a search for its name.
  const first = options.findIndex(({ address }) => address !== searchPage(typed));
  const chosen = Math.min(at ?? Math.max(0, first), options.length - 1);
  useLayoutEffect(() => {
    dialog.current?.setAttribute('closedby', 'any');
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const open = (address: string | undefined) => {
    if (address === undefined) return;
    dialog.current?.close();
    if (address === '/docs') window.open(address, '_blank', 'noopener');
    else route(address);
  };
  const onKey = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key, ctrlKey, metaKey } = event;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step) setAt((chosen + step + options.length) % options.length);
    else if (key === 'Enter' && (ctrlKey || metaKey)) open(searchPage(typed));
    else if (key === 'Enter') open(options[chosen]?.address);
    else return;
    event.preventDefault();
  };
  return (
    <dialog class="palette" ref={dialog} aria-label="Search everything" onClose={onClosed}>
      <div class="ask">
        <Glyph of="find" />
        <input
          role="combobox"
          aria-label="Address, email, action or page"
          placeholder="Address, email, action or page"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={options[chosen] && `${id}-${chosen}`}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(undefined);
          }}
          onKeyDown={onKey}
        />
        <kbd>esc</kbd>
        {finds.isSearching && <Progress share={0.4} />}
      </div>
      <div id={id} ref={list} role="listbox" aria-label="What fits">
        {groups.map((group) => {
          const own = options.flatMap((option, place) =>
            option.group === group ? [{ option, place }] : [],
          );
          return own.length === 0 ? null : (
            <Fragment key={group}>
              <h2 role="presentation">{group}</h2>
              {own.map(({ option, place }) => (
                <button
                  key={option.address}
                  type="button"
                  id={`${id}-${place}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === chosen}
                  onPointerMove={() => setAt(place)}
                  onClick={() => open(option.address)}
                >
                  {option.content}
                </button>
              ))}
            </Fragment>
          );
        })}
        {options.length === 0 && <p class="quiet">Nothing has this name.</p>}
      </div>
      <footer aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>↵</kbd> open
        </span>
        <span>
          <kbd>?</kbd> all shortcuts, outside this box
        </span>
      </footer>
    </dialog>
  );
}

const groups: readonly Entry['group'][] = ['Address', 'Emails', 'Do', 'Go to'];

const searchPage = (typed: string): string | undefined =>
  typed && mayOpen('/console/emails')
    ? addressWith('/console/emails', { search: typed })
    : undefined;

function optionsFor(typed: string, { contacts, sends }: Finds): readonly Option[] {
  const known = contacts.map(({ email, suppressedFor: [reason] }) => ({
    email,
    end: reason && reasonText(reason),
  }));
  const isNew = isWholeAddress(typed) && !known.some(({ email }) => email === typed.toLowerCase());
  const addresses = isNew ? [{ email: typed, end: undefined }, ...known] : known;
  const search = searchPage(typed);
  return [
    ...(mayOpen(recipientPage('a')) ? addresses : []).map(({ email, end }) => ({
      group: 'Address' as const,
      address: recipientPage(email),
      content: (
        <>
          <Glyph of="person" />
          <Foreign text={email} most={80} />
          {end && <span class="end bad">{end}</span>}
        </>
      ),
    })),
    ...(sends?.data ?? []).map((send) => ({
      group: 'Emails' as const,
      address: emailPage(send._id),
      content: <Found send={send} />,
    })),
    ...(search
      ? [
          {
            group: 'Emails' as const,
            address: search,
            content: (
              <>
                <Glyph of="find" />
                <span>
                  All emails with <Foreign text={typed} most={60} />
                </span>
                <span class="end">
                  <kbd>{commandKey} ↵</kbd>
                </span>
              </>
            ),
          },
        ]
      : []),
    ...entriesFor(typed).map(({ group, address, text, glyph }) => ({
      group,
      address,
      content: (
        <>
          <Glyph of={glyph} />
          {text}
        </>
      ),
    })),
  ];
}

const Found = ({ send }: { send: Send }) => (
  <>
    <StateBadge of={badgeOf(send)} glyph={glyphOf(send)} />
    <span class="subject">
      <Foreign text={send.subject || '(no subject)'} most={80} />{' '}
      <span class="quiet">
        to <Foreign text={send.toEmail} most={60} />
      </span>
    </span>
    <span class="end">
      <Moment at={send.createdAt} inRow />
    </span>
  </>
);
