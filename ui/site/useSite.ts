import type { Site } from '#api/contract/auth';
import { useEffect, useState } from 'react';

let request: Promise<Site> | undefined;

/** For tests, in which one document shows several installations. */
export const forgetSite = (): void => {
  request = undefined;
};

/** Who runs this installation, as far as its settings say. Undefined while loading, or if that fails. */
export const useSite = (): Site | undefined => {
  const [site, setSite] = useState<Site>();
  useEffect(() => {
    let wanted = true;
    request ??= fetch('/api/door/site').then((response) =>
      response.ok ? (response.json() as Promise<Site>) : Promise.reject(new Error()),
    );
    request.then(
      (answer) => wanted && setSite(answer),
      () => (request = undefined),
    );
    return () => {
      wanted = false;
    };
  }, []);
  return site;
};
