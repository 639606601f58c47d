// A worker for Pawl in Go, with the standard library only. It asks a Pawl server for steps that wait on its queues, runs each in a
// goroutine, and reports each result until the server has answered. The protocol is in docs/worker-protocol.md. main registers the
// handlers that `pawl conform --worker 'go run examples/workers/worker.go'` asks for; put your own in their place.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// StepError says how a step failed. NotSent: nothing happened outside, so it may safely be tried again.
type StepError struct {
	Name, Message string
	Final         bool
	RetryAfter    time.Duration
	NotSent       bool
}

func (e *StepError) Error() string { return e.Message }

// Yield saves the cursor and gives the place up: the step continues later, perhaps elsewhere.
type Yield struct{ Cursor, Carried any }

// Verdict is the answer to "did it happen?".
type Verdict struct {
	State  string `json:"state"`
	Result any    `json:"result,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Step is what a handler knows of its step. Send Key to the receiver: it is the same on every attempt.
type Step struct {
	DispatchID    string          `json:"dispatchId"`
	Token         string          `json:"token"`
	What          string          `json:"what"`
	Task          string          `json:"task"`
	Queue         string          `json:"queue"`
	RunID         string          `json:"runId"`
	StepID        string          `json:"stepId"`
	Input         json.RawMessage `json:"input"`
	Key           string          `json:"key"`
	Fence         string          `json:"fence"`
	BeginWithinMs int64           `json:"beginWithinMs"`
	LastHeartbeat json.RawMessage `json:"lastHeartbeat"`
	Cursor        json.RawMessage `json:"cursor"`
	Carried       json.RawMessage `json:"carried"`
	worker        *Worker
	stop          context.CancelFunc
}

// Heartbeat says that the step is alive; the next attempt gets detail. It does not wait.
func (s *Step) Heartbeat(detail any) { go s.worker.beat(s, map[string]any{"detail": detail}) }

// Checkpoint is durable when it returns. Work after it may be done again.
func (s *Step) Checkpoint(cursor, carried any) {
	s.worker.beat(s, map[string]any{"cursor": cursor, "carried": carried})
}

// Handler runs one step. ctx ends when the step is cancelled or lost.
type Handler func(ctx context.Context, s *Step) (any, error)

type held struct {
	DispatchID string `json:"dispatchId"`
	Token      string `json:"token"`
}

type report struct {
	step *Step
	body map[string]any
}

// Worker takes steps off queues. Fill in Handlers by "task" for run, "task:verify" and "task:undo".
type Worker struct {
	URL, Token string
	Queues     map[string]int
	Handlers   map[string]Handler

	mutex   sync.Mutex
	welcome struct {
		WorkerID    string `json:"workerId"`
		BeatEveryMs int64  `json:"beatEveryMs"`
	}
	held    map[string]*Step // claimed, and its result not yet answered
	reports chan report
}

// Run works until ctx ends, then finishes and reports what it holds, and leaves.
func (w *Worker) Run(ctx context.Context) error {
	w.held, w.reports = map[string]*Step{}, make(chan report, 1024)
	if err := w.register(""); err != nil {
		return err
	}
	go w.reportLoop()
	go w.beatLoop()
	for ctx.Err() == nil {
		w.poll()
	}
	for {
		w.mutex.Lock()
		left := len(w.held)
		w.mutex.Unlock()
		if left == 0 {
			return w.ask("leave", map[string]any{"holds": []any{}}, nil, 3)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

var (
	errUnknownWorker = errors.New("the server does not know this worker")
	errRefused       = errors.New("the server refused the request") // as it is, it would be refused for ever
)

func (w *Worker) post(path string, body, answer any) (retryAfter time.Duration, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, fmt.Errorf("%w: %v", errRefused, err)
	}
	request, err := http.NewRequest("POST", w.URL+"/v1/workers"+path, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("authorization", "Bearer "+w.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode == 404 || response.StatusCode == 410 {
		return 0, errUnknownWorker
	}
	if c := response.StatusCode; c == 400 || c == 413 || c == 422 {
		return 0, fmt.Errorf("%w: status %d", errRefused, c)
	}
	if response.StatusCode >= 300 {
		seconds, _ := strconv.ParseFloat(response.Header.Get("retry-after"), 64)
		return time.Duration(seconds * float64(time.Second)), fmt.Errorf("status %d", response.StatusCode)
	}
	if answer == nil {
		return 0, nil
	}
	return 0, json.NewDecoder(response.Body).Decode(answer)
}

// ask repeats a request until it is answered: every one of them may be sent twice.
func (w *Worker) ask(verb string, body, answer any, tries int) error {
	wait := 100 * time.Millisecond
	for try := 1; ; try++ {
		w.mutex.Lock()
		id := w.welcome.WorkerID
		w.mutex.Unlock()
		retryAfter, err := w.post("/"+id+"/"+verb, body, answer)
		if err == nil || errors.Is(err, errRefused) || (tries > 0 && try >= tries) {
			return err
		}
		if errors.Is(err, errUnknownWorker) { // its lease ended
			if err := w.register(id); err != nil || verb == "poll" {
				return err
			}
		}
		if retryAfter > wait {
			wait = retryAfter
		}
		time.Sleep(wait)
		if wait *= 2; wait > 5*time.Second {
			wait = 5 * time.Second
		}
	}
}

func (w *Worker) register(insteadOf string) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.welcome.WorkerID != insteadOf {
		return nil // another goroutine was faster
	}
	works, queues := []map[string]string{}, map[string]map[string]int{}
	for name := range w.Handlers {
		if !bytes.ContainsRune([]byte(name), ':') {
			works = append(works, map[string]string{"task": name})
		}
	}
	for name, places := range w.Queues {
		queues[name] = map[string]int{"concurrency": places}
	}
	hello := map[string]any{"lang": "go", "works": works, "queues": queues}
	for try := 1; ; try++ {
		_, err := w.post("", hello, &w.welcome)
		if err == nil || try == 10 {
			return err
		}
		time.Sleep(500 * time.Millisecond)
	}
}

type stops struct {
	Cancel []string `json:"cancel"`
	Lost   []string `json:"lost"`
}

func (w *Worker) poll() {
	w.mutex.Lock()
	holds, free, wait := []held{}, map[string]int{}, 1000
	for name, places := range w.Queues {
		free[name] = places
	}
	for _, s := range w.held {
		holds = append(holds, held{s.DispatchID, s.Token})
		free[s.Queue]--
	}
	for _, places := range free {
		if places > 0 {
			wait = 5000
		}
	}
	w.mutex.Unlock()
	sentAt := time.Now()
	var polled struct {
		Claimed []*Step `json:"claimed"`
		stops
	}
	// Without a free place it still polls: that renews the lease and hears of cancels.
	if w.ask("poll", map[string]any{"free": free, "waitMs": wait, "holds": holds}, &polled, 0) != nil {
		return
	}
	w.stopSteps(polled.stops)
	for _, s := range polled.Claimed {
		ctx, stop := context.WithCancel(context.Background())
		s.worker, s.stop = w, stop
		w.mutex.Lock()
		_, known := w.held[s.DispatchID]
		if !known {
			w.held[s.DispatchID] = s
		}
		w.mutex.Unlock()
		if known {
			stop()
		} else if time.Since(sentAt) > time.Duration(s.BeginWithinMs)*time.Millisecond {
			w.reports <- report{s, map[string]any{"back": true}} // too late to begin: somebody else will run it
		} else {
			go func(s *Step) { w.reports <- report{s, w.outcome(ctx, s)} }(s)
		}
	}
}

func (w *Worker) stopSteps(s stops) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, id := range append(s.Cancel, s.Lost...) {
		if step, ok := w.held[id]; ok {
			step.stop()
		}
	}
}

func (w *Worker) outcome(ctx context.Context, s *Step) (body map[string]any) {
	name := s.Task
	if s.What != "run" {
		name += ":" + s.What
	}
	if _, ok := w.Handlers[s.Task]; !ok {
		return map[string]any{"back": true}
	}
	handler, ok := w.Handlers[name]
	if !ok && s.What == "verify" {
		return map[string]any{"verdict": Verdict{State: "indeterminate", Reason: s.Task + " has no verify here"}}
	}
	failed := func(name, message string) map[string]any {
		return map[string]any{"ok": false, "error": map[string]any{"name": name, "message": message}}
	}
	if !ok {
		body = failed("StepError", s.Task+" has no "+s.What+" here")
		body["retryable"], body["notSent"] = false, true
		return body
	}
	defer func() { // a handler that panics is a result too
		if p := recover(); p != nil {
			body = failed("Panic", fmt.Sprint(p))
		}
	}()
	result, err := handler(ctx, s)
	var stepError *StepError
	switch {
	case errors.As(err, &stepError):
		body = failed(stepError.Name, stepError.Message)
		body["retryable"] = !stepError.Final
		if stepError.RetryAfter > 0 {
			body["retryAfterMs"] = stepError.RetryAfter.Milliseconds()
		}
		if stepError.NotSent {
			body["notSent"] = true
		}
		return body
	case err != nil:
		return failed("Error", err.Error())
	case s.What == "verify":
		return map[string]any{"verdict": result}
	}
	if y, ok := result.(Yield); ok {
		return map[string]any{"yield": y.Cursor, "carried": y.Carried}
	}
	return map[string]any{"ok": true, "result": result}
}

func (w *Worker) reportLoop() {
	for r := range w.reports {
		err := w.report(r.step, r.body)
		if errors.Is(err, errRefused) {
			err = w.report(r.step, insteadOf(r.body, err))
		}
		if err == nil {
			w.mutex.Lock()
			delete(w.held, r.step.DispatchID)
			w.mutex.Unlock()
		}
	}
}

func (w *Worker) report(s *Step, body map[string]any) error {
	body["dispatchId"], body["token"] = s.DispatchID, s.Token
	return w.ask("results", map[string]any{"results": []any{body}}, nil, 0)
}

// insteadOf says that a step ended whose report was refused: a result happened all the same.
func insteadOf(body map[string]any, err error) map[string]any {
	message := "the report was refused: " + err.Error()
	if _, ok := body["verdict"]; ok {
		return map[string]any{"verdict": Verdict{State: "indeterminate", Reason: message}}
	}
	instead := map[string]any{"ok": false, "retryable": false, "error": map[string]any{"name": "ReportRefused", "message": message}}
	if body["ok"] == true {
		instead["notEncodable"] = true
	}
	return instead
}

func (w *Worker) beat(s *Step, more map[string]any) {
	more["dispatchId"], more["token"] = s.DispatchID, s.Token
	var answer stops
	if w.ask("beats", map[string]any{"beats": []any{more}}, &answer, 0) == nil {
		w.stopSteps(answer)
	}
}

func (w *Worker) beatLoop() {
	for {
		w.mutex.Lock()
		every, beats := time.Duration(w.welcome.BeatEveryMs)*time.Millisecond, []held{}
		for _, s := range w.held {
			beats = append(beats, held{s.DispatchID, s.Token})
		}
		w.mutex.Unlock()
		var answer stops
		if w.ask("beats", map[string]any{"beats": beats}, &answer, 0) == nil {
			w.stopSteps(answer)
		}
		time.Sleep(every)
	}
}

func main() {
	number := func(raw json.RawMessage) (n int) { _ = json.Unmarshal(raw, &n); return n }
	type sum struct {
		Sum int `json:"sum"`
	}
	echo := func(_ context.Context, s *Step) (any, error) { return s.Input, nil }
	w := &Worker{URL: os.Getenv("PAWL_URL"), Token: os.Getenv("PAWL_TOKEN"), Queues: map[string]int{"conform": 2}, Handlers: map[string]Handler{
		"conform.echo":      echo,
		"conform.echo:undo": echo,
		"conform.echo:verify": func(_ context.Context, s *Step) (any, error) {
			return Verdict{State: "completed-with-result", Result: map[string]string{"key": s.Key}}, nil
		},
		"conform.fail": func(context.Context, *Step) (any, error) {
			return nil, &StepError{Name: "Boom", Message: "boom", RetryAfter: 1500 * time.Millisecond}
		},
		"conform.refuse": func(context.Context, *Step) (any, error) {
			return nil, &StepError{Name: "Refused", Message: "never", Final: true}
		},
		"conform.wait": func(ctx context.Context, s *Step) (any, error) {
			var input struct{ Ms int64 }
			_ = json.Unmarshal(s.Input, &input)
			s.Heartbeat(map[string]string{"at": "begin"})
			select {
			case <-ctx.Done():
				return nil, &StepError{Name: "Cancelled", Message: "stopped as asked", Final: true}
			case <-time.After(time.Duration(input.Ms) * time.Millisecond):
				return "waited", nil
			}
		},
		"conform.checkpoint": func(_ context.Context, s *Step) (any, error) {
			s.Checkpoint(7, sum{1})
			return "saved", nil
		},
		"conform.count": func(_ context.Context, s *Step) (any, error) {
			at, carried := number(s.Cursor), sum{}
			_ = json.Unmarshal(s.Carried, &carried)
			if at < 3 {
				return Yield{at + 1, sum{carried.Sum + 1}}, nil
			}
			return carried, nil
		},
	}}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := w.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
