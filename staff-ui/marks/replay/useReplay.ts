import type { Replay } from '#api/history/replay/replay.contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../../../ui/api/ApiProvider.tsx';

/** Every change of a year group's markbook up to now. It stays as it is, so that nothing moves under a slider, until later ones are asked for. */
export const useReplayQuery = (yearGroupId: string | undefined) => {
  const api = useApi();
  return useQuery({
    queryKey: ['replay', yearGroupId],
    queryFn: ({ signal }) => api.query('replay', { yearGroupId: yearGroupId ?? '' }, { signal }),
    enabled: yearGroupId !== undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
};

/** Where the slider stands, as so many steps; in the address as the event (?step=). */
export const useStep = (
  { steps }: Replay,
  { search, change }: { readonly search: URLSearchParams; readonly change: (parts: Readonly<Record<string, string | undefined>>) => void },
) => {
  const [at, setAt] = useState(() => {
    const index = steps.findIndex(({ eventId }) => eventId === search.get('step'));
    return index < 0 ? steps.length : index + 1;
  });
  const goTo = (step: number): void => setAt(Math.min(steps.length, Math.max(0, step)));
  const eventId = at === steps.length ? undefined : steps[Math.max(0, at - 1)]?.eventId;
  const isHere = (search.get('step') ?? undefined) === eventId;
  useEffect(() => {
    if (isHere) return;
    // A slider passes many of them.
    const writing = setTimeout(() => change({ step: eventId }), WRITE_MS);
    return () => clearTimeout(writing);
  }, [isHere, eventId, change]);
  return { at, goTo };
};
const WRITE_MS = 300;

/** Goes through the steps one by one until it is at the end, in half a minute at most. */
export const usePlaying = (at: number, count: number, goTo: (step: number) => void) => {
  const [isPlaying, setPlaying] = useState(false);
  const isOn = isPlaying && at < count;
  useEffect(() => {
    if (!isOn) return;
    const next = setTimeout(() => goTo(at + Math.max(1, Math.round(count / MOST_TICKS))), TICK_MS);
    return () => clearTimeout(next);
  });
  const toggle = (): void => {
    if (!isOn && at === count) goTo(0);
    setPlaying(!isOn);
  };
  return { isPlaying: isOn, toggle, stop: () => setPlaying(false) };
};
const TICK_MS = 600;
const MOST_TICKS = 50;
