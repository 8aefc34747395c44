/**
 * What the call answers, if it does so within `ms`.
 *
 * @throws what `late` returns, after `ms`
 */
export const withTimeout = <Result>(ms: number, call: Promise<Result>, late: () => Error): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    call.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
