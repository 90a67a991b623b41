import { readIndex, type SearchIndex, type SearchResult, search } from './search.ts';

// Search, one language for all examples, and copy buttons. The pages also work without this script.

const box = document.querySelector('search');
const input = document.querySelector<HTMLInputElement>('#search');
const results = document.querySelector<HTMLElement>('#results');
const list = results?.querySelector('ul');
const status = results?.querySelector('[role=status]');

let loading: Promise<SearchIndex> | undefined;

/** Loads the index when the box gets the focus. A failed request is retried at the next key. */
function index(): Promise<SearchIndex> {
  loading ??= fetch('/docs/search.json')
    .then((response) => {
      if (!response.ok) throw new Error(`${response.status}`);
      return response.json();
    })
    .then(readIndex)
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function resultOf({ title, page, address, sentence }: SearchResult): HTMLElement {
  const link = document.createElement('a');
  link.href = address;
  link.append(element('b', title));
  if (page !== '') link.append(element('span', page));
  if (sentence !== '') link.append(element('small', sentence));
  link.addEventListener('click', close);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

async function show(): Promise<void> {
  if (!input || !results || !list || !status) return;
  const query = input.value;
  if (query.trim() === '') return close();
  try {
    const found = search(await index(), query);
    // Another key was pressed in the meantime.
    if (input.value !== query) return;
    list.replaceChildren(...found.map(resultOf));
    status.textContent =
      found.length === 0 ? `Nothing found for “${query}”` : countOf(found.length);
  } catch {
    list.replaceChildren();
    status.textContent = 'The search can’t be loaded. Try again, or use the menu.';
  }
  results.hidden = false;
}

const countOf = (found: number): string => (found === 1 ? '1 result' : `${found} results`);

function close(): void {
  if (results) results.hidden = true;
}

/** Arrows go from the box through the results and back. */
function move(event: KeyboardEvent): void {
  if (!input || !results || results.hidden) return;
  if (event.key === 'Escape') {
    close();
    input.focus();
    return;
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops: readonly HTMLElement[] = [input, ...results.querySelectorAll('a')];
  const { activeElement } = document;
  const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
  const next = stops[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

if (box && input) {
  box.hidden = false;
  input.addEventListener('input', () => void show());
  input.addEventListener('focus', () => {
    if (input.value !== '') return void show();
    // A failure shows at the first key.
    index().catch(() => {});
  });
  input.addEventListener('keydown', (event) => {
    const first = list?.querySelector('a');
    if (event.key === 'Enter' && results?.hidden === false) first?.click();
  });
  box.addEventListener('keydown', move);
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) close();
  });
  const isMac = /^Mac|^iP/.test(navigator.platform);
  const keys = box.querySelector('kbd');
  if (isMac && keys) {
    keys.textContent = '⌘ K';
    keys.ariaLabel = 'Command K';
  }
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'k' || !(isMac ? event.metaKey : event.ctrlKey)) return;
    event.preventDefault();
    input.select();
  });
}

// A menu link to a part of the open page doesn't close the menu.
const menu = document.querySelector<HTMLElement>('#menu');
menu?.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a') && menu.matches(':popover-open')) {
    menu.hidePopover();
  }
});

// Where the menu is beside the page, scroll it to the current link.
const current = menu?.querySelector<HTMLElement>('[aria-current]');
if (menu && current) menu.scrollTop = current.offsetTop - menu.clientHeight / 3;

const storedLanguage = 'docs-language';

/** Throws in a browser that stores nothing for this site. */
function remembered(): string | null {
  try {
    return localStorage.getItem(storedLanguage);
  } catch {
    return null;
  }
}

function choose(language: string): void {
  for (const one of document.querySelectorAll<HTMLInputElement>('.tabs input')) {
    if (one.value === language) one.checked = true;
  }
}

choose(remembered() ?? '');
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement && target.closest('.tabs'))) return;
  // Examples above may change in height; keep this one in place.
  const before = target.getBoundingClientRect().top;
  choose(target.value);
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(storedLanguage, target.value);
  } catch {
    // The choice still applies on this page.
  }
});

for (const code of document.querySelectorAll('pre > code')) {
  const button = element('button', 'Copy');
  button.type = 'button';
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent ?? '').then(
      () => say(button, 'Copied'),
      () => say(button, 'Select it, and copy'),
    );
  });
  code.parentElement?.prepend(button);
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words;
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 2_000);
}

// Links from when there was a single page, such as the console's: `/docs#error-too_large`.
const former = /^#error-(\w+)$/.exec(location.hash);
if (former && location.pathname === '/docs') location.replace(`/docs/api/errors#${former[1]}`);
