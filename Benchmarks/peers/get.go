// GETs by Go's net/http: get URL COUNT INFLIGHT [--http2] [--cacert FILE]; prints one line of JSON, as the other programs.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) < 4 {
		log.Fatal("Usage: get URL COUNT INFLIGHT [--http2] [--cacert FILE]")
	}
	url := os.Args[1]
	count, inFlight := number(os.Args[2]), number(os.Args[3])
	client := &http.Client{Transport: transport(os.Args[4:], int(inFlight))}
	run(client, url, min(2000, max(inFlight, count/10)), inFlight)
	begin, cpu := time.Now(), cpuSeconds()
	bytes, errors := run(client, url, count, inFlight)
	seconds := time.Since(begin).Seconds()
	fmt.Printf("{\"name\":\"go\",\"requests\":%d,\"seconds\":%f,\"requests_per_second\":%f,"+
		"\"cpu_microseconds_per_request\":%f,\"bytes\":%d,\"peak_rss_kb\":%d,\"errors\":%d}\n",
		count, seconds, float64(count)/seconds, (cpuSeconds()-cpu)*1e6/float64(count), bytes, peakMemory(), errors)
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < 1 {
		log.Fatal("not a number: ", text)
	}
	return value
}

func transport(options []string, inFlight int) *http.Transport {
	settings := &tls.Config{}
	usesHTTP2 := false
	for index, option := range options {
		switch {
		case option == "--http2":
			usesHTTP2 = true
		case option == "--cacert" && index+1 < len(options):
			text, err := os.ReadFile(options[index+1])
			if err != nil {
				log.Fatal(err)
			}
			settings.RootCAs = x509.NewCertPool()
			settings.RootCAs.AppendCertsFromPEM(text)
		}
	}
	return &http.Transport{
		TLSClientConfig: settings, ForceAttemptHTTP2: usesHTTP2, MaxIdleConns: inFlight, MaxIdleConnsPerHost: inFlight,
	}
}

func run(client *http.Client, url string, count, inFlight int64) (bytes, errors int64) {
	var started atomic.Int64
	var group sync.WaitGroup
	for worker := int64(0); worker < inFlight; worker++ {
		group.Add(1)
		go func() {
			defer group.Done()
			for started.Add(1) <= count {
				length, err := get(client, url)
				atomic.AddInt64(&bytes, length)
				if err != nil {
					atomic.AddInt64(&errors, 1)
				}
			}
		}()
	}
	group.Wait()
	return bytes, errors
}

func get(client *http.Client, url string) (int64, error) {
	response, err := client.Get(url)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != 200 {
		err = fmt.Errorf("status %d", response.StatusCode)
	}
	return int64(len(body)), err
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

func peakMemory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "VmHWM:" {
			return number(words[1])
		}
	}
	return 0
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func max(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}
