import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Page } from '../parts/page.tsx';
import { mayOpen, settingsParts } from '../shared/places.ts';

export type PartName = (typeof settingsParts)[number]['name'];

/** One part of the settings, below links to all. */
export const SettingsPage = ({
  name,
  lead,
  children,
}: {
  name: PartName;
  lead: string;
  children: ComponentChildren;
}) => (
  <Page
    title={`${name} · Settings`}
    heading={
      <>
        Settings <span class="visually-hidden">{name}</span>
      </>
    }
    tabs={<Tabs current={name} />}
    lead={lead}
  >
    {children}
  </Page>
);

function Tabs({ current }: { current: PartName }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone, the line scrolls.
  useEffect(() => {
    const shown = nav.current?.querySelector('[aria-current]');
    shown?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav class="subnav" aria-label="Settings" ref={nav}>
      {settingsParts
        .filter(({ address }) => mayOpen(address))
        .map(({ address, name }) => (
          <a key={name} href={address} aria-current={name === current ? 'page' : undefined}>
            {name}
          </a>
        ))}
    </nav>
  );
}
